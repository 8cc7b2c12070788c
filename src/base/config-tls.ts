import { readFileSync } from 'node:fs'
import type { Reader } from './config-reader'
import { hostnameOf } from './lib/hostname'

/** How this server speaks https itself. The names of all modes are in lower case, punycode, without a dot at the end. */
export interface TlsConfig {
  mode: 'off' | 'files' | 'auto'
  /** `auto`: the names of this deployment; the first one is shown where no other fits. */
  names: readonly string[]
  /** `files`: the certificate with its chain, and its key. */
  files: { certificate: string; key: string } | null
  httpsPort: number
  httpPort: number
  /** The address of the public ports; null = all addresses of the machine. */
  host: string | null
  acme: {
    /** The directory of the certificate authority (RFC 8555, 7.1.1). */
    url: string
    email: string | null
    /** Null = the choice of the authority; an IP address takes `shortlived`. */
    profile: string | null
    /** PEM text of an additional trusted root, for calls to the certificate authority. */
    ca: string | null
    /** External account binding (RFC 8555, 7.3.4): the key id, and the key in base64url. */
    eab: { kid: string; hmac: string } | null
    areTermsAccepted: boolean
  }
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

/** Reads the variables about https. `domains` and `areTermsAccepted` are options of the command line. */
export function readTls(
  read: Reader,
  flags: { host?: string | undefined; domains?: readonly string[]; areTermsAccepted?: boolean },
): TlsConfig {
  const given = read.text('SVC_TLS') ?? 'off'
  const hasDomains = flags.domains !== undefined && flags.domains.length > 0
  const files = readFiles(read, given)
  if (hasDomains && files !== null)
    read.fault(
      'SVC_TLS',
      given,
      'auto or left out beside --domain: a server has either certificate files of its own or certificates that it gets',
    )
  const listed = read.text('SVC_DOMAINS') ?? ''
  const mode = hasDomains || given === 'auto' ? 'auto' : files === null ? 'off' : 'files'
  const names = mode === 'auto' ? readNames(read, flags.domains ?? [], listed) : []
  if (mode === 'auto' && read.text('SVC_MASTER_KEY') === 'off')
    read.secretFault(
      'SVC_MASTER_KEY',
      'a key when SVC_TLS is auto, because the keys of certificates are encrypted with it',
    )
  return {
    mode,
    names,
    files,
    httpsPort: read.integer('SVC_HTTPS_PORT'),
    httpPort: read.integer('SVC_HTTP_PORT'),
    host: flags.host ?? read.text('SVC_HOST') ?? null,
    acme: readAcme(read, flags.areTermsAccepted ?? false),
  }
}

const readAcme = (read: Reader, areTermsAccepted: boolean): TlsConfig['acme'] => ({
  url: readDirectory(read),
  email: readEmail(read),
  profile: read.text('SVC_ACME_PROFILE') ?? null,
  ca: readRoot(read),
  eab: readEab(read),
  areTermsAccepted: areTermsAccepted || read.oneOf('SVC_ACCEPT_CA_TERMS') === '1',
})

function readFiles(read: Reader, given: string): TlsConfig['files'] {
  if (given === 'off' || given === 'auto') return null
  const [, certificate, key] = /^files:([^,]+),([^,]+)$/.exec(given) ?? []
  if (certificate && key) return { certificate: certificate.trim(), key: key.trim() }
  read.fault('SVC_TLS', given, 'off, auto, or files:CERTIFICATE,KEY with the paths of two PEM files')
  return null
}

const MAX_NAMES = 100

function readNames(read: Reader, domains: readonly string[], listed: string): string[] {
  const isOption = domains.length > 0
  const source = isOption ? '--domain' : 'SVC_DOMAINS'
  const given = isOption ? domains : listed.split(',').filter((name) => name.trim() !== '')
  const names = given.map((name) => ({ name, hostname: hostnameOf(name.trim()) }))
  for (const { name, hostname } of names)
    if (hostname === null) read.fault(source, name, 'a name such as svc.example.com, or an IP address')
  if (names.length === 0 || names.length > MAX_NAMES)
    read.fault(source, given.join(','), `1 to ${MAX_NAMES} names, with commas between them`)
  return [...new Set(names.flatMap(({ hostname }) => hostname ?? []))]
}

function readDirectory(read: Reader): string {
  const given = read.text('SVC_ACME_URL') ?? LETS_ENCRYPT
  if (URL.parse(given)?.protocol !== 'https:') read.fault('SVC_ACME_URL', given, 'the https address of a directory')
  return given
}

function readEmail(read: Reader): string | null {
  const given = read.text('SVC_ACME_EMAIL') ?? null
  if (given !== null && !/^[^\s@,?]+@[^\s@,?]+$/.test(given)) read.fault('SVC_ACME_EMAIL', given, 'one mail address')
  return given
}

function readRoot(read: Reader): string | null {
  const path = read.text('SVC_ACME_CA')
  if (path === undefined) return null
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  } catch {
    // The fault below reports it.
  }
  read.fault('SVC_ACME_CA', path, 'the path of a readable PEM file with certificates')
  return null
}

function readEab(read: Reader): TlsConfig['acme']['eab'] {
  const given = read.text('SVC_ACME_EAB')
  if (given === undefined) return null
  const [, kid, hmac] = /^([^:\s]+):([\w-]{16,})=*$/.exec(given) ?? []
  if (kid && hmac) return { kid, hmac }
  read.secretFault('SVC_ACME_EAB', 'KID:HMAC as the authority shows it, the second in base64url')
  return null
}

/** What the public address is when nothing else sets it: https and the first name. */
export const tlsBaseUrl = ({ mode, names, httpsPort }: TlsConfig): string | null => {
  const [first] = names
  if (mode !== 'auto' || first === undefined) return null
  const host = first.includes(':') ? `[${first}]` : first
  return `https://${host}${httpsPort === 443 ? '' : `:${httpsPort}`}`
}

/** Each port has one listener. 0 is a free port. */
export function refuseSharedPorts(
  read: Reader,
  { tls, port, internalPort }: { tls: TlsConfig; port: number; internalPort: number },
): void {
  if (tls.mode === 'off') return
  const taken = [port, internalPort, tls.httpPort].filter((one) => one !== 0)
  if (taken.includes(tls.httpsPort))
    read.fault(
      'SVC_HTTPS_PORT',
      String(tls.httpsPort),
      'a port other than SVC_PORT, SVC_HTTP_PORT and SVC_INTERNAL_PORT',
    )
  if (tls.httpPort !== 0 && [port, internalPort].includes(tls.httpPort))
    read.fault('SVC_HTTP_PORT', String(tls.httpPort), 'a port other than SVC_PORT and SVC_INTERNAL_PORT')
}

import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'

/** `hostname_reserved`: a DNS name, but not one that a project may have. */
export type HostnameResult =
  | { ok: true; hostname: string }
  | { ok: false; reason: 'hostname_invalid' | 'hostname_reserved'; message: string }

export interface HostnameRules {
  /** The host of `PUBLIC_BASE_URL`; null = none. */
  ownHost: string | null
  /** `SVC_RESERVED_HOSTS`: names that no project may have, with every name below them. */
  reserved: readonly string[]
}

/** The name of the TXT record is five characters longer, and DNS allows 253 for it (RFC 1035 2.3.4). */
const MAX_NAME = 253 - '_svc.'.length
const MAX_LABEL = 63

const invalid = (message: string): HostnameResult => ({ ok: false, reason: 'hostname_invalid', message })

/**
 * A hostname in its stored form: ASCII (Punycode), in lower case, without the dot at the end. Every fault has a sentence of
 * its own. Example: `Quiz.Müsli.example.` is `quiz.xn--msli-0ra.example`.
 */
export function readHostname(given: string, rules: HostnameRules): HostnameResult {
  const fault = textFault(given)
  if (fault !== null) return invalid(fault)
  const hostname = toHostname(given)
  if (hostname === null) return invalid('The hostname is not a DNS name; check its letters')
  const nameFault = labelFault(hostname)
  if (nameFault !== null) return invalid(nameFault)
  const reserved = reservedFault(hostname, rules)
  return reserved === null ? { ok: true, hostname } : { ok: false, reason: 'hostname_reserved', message: reserved }
}

/** What people write beside a hostname. */
function textFault(given: string): string | null {
  if (given === '') return 'Give a hostname such as quiz.example.com'
  if (/\s/.test(given)) return 'The hostname must not contain spaces'
  if (given.includes('://')) return 'Give only the hostname, without https://'
  if (/[/?#\\]/.test(given)) return 'Give only the hostname, without a path'
  if (given.includes('@')) return 'Give only the hostname, without a user name'
  if (isIP(given.replace(/^\[|\]$/g, '')) !== 0) return 'Give a name; an IP address cannot be a custom domain'
  if (/:\d*$/.test(given)) return 'Give only the hostname, without a port'
  if (given.includes('*')) return 'Give one name; a wildcard (*) cannot be a custom domain'
  return given.startsWith('.') || given.includes('..') ? 'A part of the hostname between two dots is empty' : null
}

/** The stored form of a name; null for a text that cannot be one. */
export function toHostname(given: string): string | null {
  const name = given.replace(/\.$/, '')
  // A name that ends in a number would be read as an IPv4 address.
  const ascii = /(^|\.)\d+$/.test(name) ? name : domainToASCII(name)
  return ascii === '' || ascii.length > 1000 ? null : ascii.toLowerCase()
}

function labelFault(hostname: string): string | null {
  const labels = hostname.split('.')
  if (labels.length < 2) return 'Give the whole name with its domain, such as quiz.example.com'
  if (hostname.length > MAX_NAME)
    return `The hostname has ${hostname.length} characters; at most ${MAX_NAME} are allowed`
  for (const label of labels) {
    if (label.length > MAX_LABEL) return `A part between two dots has at most ${MAX_LABEL} characters`
    if (label.includes('_')) return 'Underscores are not allowed in a hostname'
    if (!/^[a-z0-9-]+$/.test(label)) return `"${label}" has characters that a hostname cannot have`
    if (label.startsWith('-') || label.endsWith('-')) return `"${label}" must not begin or end with a hyphen`
    if (label.startsWith('xn--') && domainToUnicode(label) === '') return `"${label}" is no valid Punycode`
  }
  return /^\d+$/.test(labels.at(-1) ?? '') ? 'The last part of a hostname must not be a number' : null
}

/** Names that no public name server knows (RFC 6761, 6762, 8375, and the reserved `internal`). */
const NOT_PUBLIC = ['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa']

function reservedFault(hostname: string, { ownHost, reserved }: HostnameRules): string | null {
  if (NOT_PUBLIC.some((suffix) => isBelow(hostname, suffix))) return `${hostname} is not a name of the public internet`
  if (hostname === ownHost) return `${hostname} is the address of this server; its funnels are there already`
  const suffix = reserved.find((name) => isBelow(hostname, name))
  return suffix === undefined ? null : `${hostname} is reserved by this server (names of ${suffix})`
}

/** Whether a name is a domain itself or a name below it. */
const isBelow = (hostname: string, domain: string): boolean => hostname === domain || hostname.endsWith(`.${domain}`)

/** The name as people read it. Example: `xn--msli-0ra.example` is `müsli.example`. */
export const toUnicode = (hostname: string): string => domainToUnicode(hostname) || hostname

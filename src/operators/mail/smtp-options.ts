import { readFileSync } from 'node:fs'

const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 } as Readonly<Record<string, number>>
const CONNECTIONS = 3

/**
 * The options of the mail library for `SVC_SMTP_URL`. A name and a password are sent over TLS only, unless the server
 * is this machine. `?ca=PATH` names the PEM file of an authority that only this connection trusts.
 */
export function smtpOptions(smtpUrl: string, timeoutMs: number) {
  const url = new URL(smtpUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const caPath = url.searchParams.get('ca')
  const hasPassword = url.username !== ''
  return {
    host,
    port: url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 587) : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTLS: hasPassword && !isThisMachine(host),
    ...(hasPassword && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    ...(caPath !== null && { tls: { ca: readFileSync(caPath, 'utf8') } }),
    pool: true as const,
    maxConnections: CONNECTIONS,
    maxRequeues: 0, // The outbox repeats attempts itself.
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

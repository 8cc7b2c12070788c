import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import { SECOND } from '../../base/lib/clock'
import { resolvedFault } from '../../base/lib/outgoing-url'
import { toIso } from '../../base/lib/time'
import { type CertificateState, NO_CERTIFICATE } from './model'

const TIMEOUT_MS = 5 * SECOND
const HTTPS_PORT = 443

export interface Handshake {
  hostname: string
  /** The addresses of the name; the first is called. */
  ips: readonly string[]
  isLoopbackAllowed: boolean
  now: number
  /** Only tests give another. */
  port?: number
  /** PEM text of a certificate that is believed too. Only tests give one. */
  ca?: string
}

/** The certificate that visitors of a name are shown, by a TLS handshake to it. Never throws. */
export async function seenCertificate({
  ips,
  isLoopbackAllowed,
  now,
  ...target
}: Handshake): Promise<CertificateState> {
  const [host] = ips
  if (host === undefined) return failed('dns', 'The name has no address')
  const fault = resolvedFault(ips, { isLoopbackAllowed })
  if (fault !== null) return failed('dns', `${ips.join(', ')} is no public address`)
  const shown = await shake(host, target)
  return typeof shown === 'string' ? failed('port443', shown) : certificateState(shown, now)
}

type ErrorCode = NonNullable<CertificateState['error']>['code']

const failed = (code: ErrorCode, detail: string): CertificateState => ({
  ...NO_CERTIFICATE,
  ...{ status: 'FAILED', error: { code, detail } },
})

export interface ShownCertificate {
  certificate: Pick<PeerCertificate, 'valid_to' | 'issuer'>
  /** Why browsers refuse it; null = they accept it. */
  fault: string | null
}

/** The state of a certificate that was shown. One that browsers refuse is no certificate for visitors. */
export function certificateState({ certificate, fault }: ShownCertificate, now: number): CertificateState {
  const ends = Date.parse(certificate.valid_to ?? '')
  const facts = {
    ...{ notAfter: Number.isNaN(ends) ? null : toIso(ends), issuer: issuerOf(certificate), nextAttemptAt: null },
  }
  const why = ends <= now ? 'The certificate has expired' : fault
  if (why !== null) return { ...facts, status: 'FAILED', error: { code: 'other', detail: why } }
  return { ...facts, status: 'ISSUED', error: null }
}

function issuerOf({ issuer }: Pick<PeerCertificate, 'issuer'>): string | null {
  const { O: organisation, CN: name } = issuer ?? {}
  const parts = [organisation, name].flatMap((part) => part ?? [])
  return parts.length === 0 ? null : parts.join(' ').slice(0, 200)
}

/** The sentence says why no certificate was shown. */
function shake(
  host: string,
  { hostname, port = HTTPS_PORT, ca }: Pick<Handshake, 'hostname' | 'port' | 'ca'>,
): Promise<ShownCertificate | string> {
  const { promise, resolve } = Promise.withResolvers<ShownCertificate | string>()
  const where = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const socket = connect({ host, port, servername: hostname, rejectUnauthorized: false, ...(ca && { ca }) })
  const timer = setTimeout(() => resolve(`${where} did not answer within ${TIMEOUT_MS / SECOND} seconds`), TIMEOUT_MS)
  socket.once('secureConnect', () => {
    const error = socket.authorizationError as unknown
    const fault = error ? `Browsers refuse the certificate (${error instanceof Error ? error.message : error})` : null
    resolve({ certificate: socket.getPeerCertificate(), fault })
  })
  socket.once('error', (error) => resolve(`${where} did not take the connection (${error.message})`))
  socket.once('close', () => resolve(`${where} closed the connection`))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}

import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../../base/config'
import type { Context } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { secureRandom } from '../../base/lib/ids'
import { resolvedFault } from '../../base/lib/outgoing-url'
import { reasonText } from '../../core/reason/reasons'
import { NotReady } from './failure'
import { CHALLENGE_PATH } from './plain-http'

const TIMEOUT_MS = 5 * SECOND

export const randomToken = (): string => Buffer.from(secureRandom(24)).toString('base64url')

/** The addresses of a name; throws a `NotReady` when there is none that may be called. */
export async function requireAddresses(ctx: Context, name: string, isCustom: boolean): Promise<string[]> {
  const found = await addressesOf(ctx.config, name)
  if (found.length === 0) throw new NotReady('dns', reasonText('TLS_NO_ADDRESS', { name }))
  // A customer could otherwise have this server call inside of its own network.
  const refused = isCustom ? found.find((address) => resolvedFault([address], ctx.config) !== null) : undefined
  if (refused !== undefined) throw new NotReady('dns', reasonText('TLS_NOT_PUBLIC', { name, address: refused }))
  return found.slice(0, MAX_TRIED)
}

/** More addresses of one name are not asked: each of them is called at the same time. */
const MAX_TRIED = 10

/**
 * Asks for a random challenge of our own at every address of a name, as the authority will. Null when this server answers;
 * else the reason. An address that this machine cannot reach at all is not held against the name while another one works.
 */
export async function httpFault(ctx: Context, name: string, addresses: readonly string[]): Promise<string | null> {
  const token = randomToken()
  const proof = ctx.state.tls.proofOf(token)
  const faults = await Promise.all(addresses.map((address) => faultAt(ctx, name, address, token, proof)))
  const wrong = faults.find((fault) => fault?.isAnswered)
  if (wrong) return wrong.reason
  return faults.includes(null) ? null : (faults[0]?.reason ?? 'it has no address')
}

interface Fault {
  reason: string
  /** Whether something answered. */
  isAnswered: boolean
}

async function faultAt(
  ctx: Context,
  name: string,
  address: string,
  token: string,
  proof: string | null,
): Promise<Fault | null> {
  let last: Fault | null = null
  for (const port of portsOf(ctx)) {
    last = await askAt(ctx, name, address, port, token, proof)
    if (last === null) return null
  }
  return last
}

/** Authorities ask on port 80. A private one may ask on the port that this server is configured to listen on. */
const portsOf = ({ config: { tls } }: Context): number[] => portsWith(80, tls.acme.ca === null ? 0 : tls.httpPort)

const securePortsOf = ({ config: { tls } }: Context): number[] =>
  portsWith(443, tls.acme.ca === null ? 0 : tls.httpsPort)

const portsWith = (usual: number, other: number): number[] =>
  other === 0 || other === usual ? [usual] : [usual, other]

async function askAt(
  { state }: Context,
  name: string,
  address: string,
  port: number,
  token: string,
  proof: string | null,
): Promise<Fault | null> {
  const host = (one: string) => (isIP(one) === 6 ? `[${one}]` : one)
  try {
    const answer = await fetch(`http://${host(address)}:${port}${CHALLENGE_PATH}${token}`, {
      headers: { host: host(name), 'user-agent': 'svc', 'accept-encoding': 'identity' },
      redirect: 'manual',
      keepalive: false,
      decompress: false,
      signal: AbortSignal.any([state.tls.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const isOurs = proof !== null && answer.status === 200 && (await isText(answer, proof))
    await answer.body?.cancel().catch(() => {})
    return isOurs ? null : { reason: `${address} answers on port ${port} and is not this server`, isAnswered: true }
  } catch {
    state.tls.signal.throwIfAborted()
    return { reason: `${address} does not answer on port ${port}`, isAnswered: false }
  }
}

/** Whether a body is a text. Another one is not read to its end, because the owner of a name may send without one. */
async function isText({ body }: Response, wanted: string): Promise<boolean> {
  let text = ''
  for await (const part of body ?? []) {
    text += Buffer.from(part).toString('latin1')
    if (!wanted.startsWith(text)) return false
  }
  return text === wanted
}

/** As `httpFault`, at the handshake: the certificate with the digest must be shown for the protocol of the challenge. */
export async function alpnFault(
  ctx: Context,
  name: string,
  addresses: readonly string[],
  digest: string,
): Promise<string | null> {
  const tried = addresses.flatMap((address) => securePortsOf(ctx).map((port) => ({ address, port })))
  const shown = await Promise.all(tried.map(({ address, port }) => certificateAt(name, address, port)))
  if (shown.some((hex) => hex?.includes(digest))) return null
  return shown.some((hex) => hex !== null)
    ? 'another program answers on port 443'
    : `${addresses.join(', ')} does not answer on port 443`
}

/** The certificate in hex that is shown for the protocol of the challenge; null when nothing answers. */
function certificateAt(name: string, host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const options = {
    host,
    port,
    servername: serverNameOf(name),
    ALPNProtocols: ['acme-tls/1'],
    rejectUnauthorized: false,
  }
  const socket = connect(options, () => end(socket.getPeerX509Certificate()?.raw.toString('hex') ?? ''))
  const end = (result: string | null) => {
    resolve(result)
    socket.destroy()
  }
  socket.setTimeout(TIMEOUT_MS, () => end(null))
  socket.on('error', () => end(null))
  return promise
}

/** An IP address is asked for by its name in reverse DNS (RFC 8738, 6). */
function serverNameOf(name: string): string {
  if (isIP(name) === 4) return `${name.split('.').reverse().join('.')}.in-addr.arpa`
  if (isIP(name) !== 6) return name
  const [head = '', tail = ''] = name.split('::')
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0')
  const groups = [...(first ?? []), ...(name.includes('::') ? zeros : []), ...(last ?? [])]
  const digits = groups.map((group) => group.padStart(4, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}

/** The IP addresses of a name, of both families; empty when it has none. Asks `SVC_DNS`, or the resolver of the system. */
async function addressesOf({ domains: { nameServers } }: Pick<Config, 'domains'>, name: string): Promise<string[]> {
  if (isIP(name) !== 0) return [name]
  if (nameServers.length === 0)
    return lookup(name, { all: true }).then(
      (all) => all.map(({ address }) => address),
      () => [],
    )
  const resolver = new Resolver({ timeout: 3 * SECOND, tries: 2 })
  resolver.setServers([...nameServers])
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

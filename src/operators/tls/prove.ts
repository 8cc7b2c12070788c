import type { Context } from '../../base/context'
import { outsideNow } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import { makeAlpnCertificate } from './acme/crypto'
import type { Prover } from './acme/order'
import { NotReady } from './failure'
import { alpnFault, httpFault, randomToken, requireAddresses } from './reach'
import { openRouter } from './router'

/**
 * How a name can be proved: by http-01 when this server answers on its port 80, else by tls-alpn-01 when it answers on 443.
 * Throws a `NotReady` when neither works, so that no order is made.
 */
export async function chooseProver(ctx: Context, name: string, isCustom: boolean): Promise<Prover> {
  const addresses = await requireAddresses(ctx, name, isCustom)
  const onPlain = await httpFault(ctx, name, addresses)
  if (onPlain === null) return HTTP
  const onSecure = await faultOnSecure(ctx, name, addresses)
  if (onSecure === null) return handshakeProver(ctx)
  throw new NotReady('port80', reasonText('TLS_NOT_REACHED', { name, words: `${onPlain}, and ${onSecure}` }))
}

/** Every process answers every token, see `TlsState.proofOf`. */
const HTTP: Prover = { type: 'http-01', provide: async () => async () => {} }

const handshakeProver = (ctx: Context): Prover => ({
  type: 'tls-alpn-01',
  provide: async (name, keyAuthorization) => (await showAtHandshake(ctx, name, keyAuthorization)).end,
})

async function faultOnSecure(ctx: Context, name: string, addresses: readonly string[]): Promise<string | null> {
  const shown = await showAtHandshake(ctx, name, randomToken()).catch(() => null)
  if (shown === null) return 'port 443 cannot be used for a challenge'
  try {
    return await alpnFault(ctx, name, addresses, shown.digest)
  } finally {
    await shown.end()
  }
}

/** One challenge at a time has the port for https. */
async function showAtHandshake(ctx: Context, name: string, keyAuthorization: string) {
  const { tls } = ctx.state
  const { listeners } = tls
  if (!listeners) throw new NotReady('port443', reasonText('TLS_NOT_LISTENING'))
  const certificate = await makeAlpnCertificate(name, keyAuthorization, outsideNow(ctx))
  const release = await tls.handshakes.take()
  try {
    const giveBack = await listeners.lend((port, otherwise) =>
      openRouter({
        ...{ host: ctx.config.tls.host, port, otherwise, certificate },
        onForward: ctx.state.forwarded.add,
      }),
    )
    const end = () => giveBack().finally(release)
    return { digest: certificate.digest, end }
  } catch (error) {
    release()
    throw error
  }
}

import type { Context } from '../../base/context'
import { isFor } from './certificate'
import { CertificateFiles } from './files'
import { PublicListeners } from './listeners'
import { syncNames } from './names'
import { answerPlain } from './plain-http'
import { refreshTls } from './refresh'

/** The certificate files cannot be served. */
export class CertificateFilesError extends Error {}

/**
 * Opens the public ports of a server that speaks https itself; null when it does not. With files, https is served when this
 * returns; otherwise from the first certificate on. Throws a `PublicPortError` or a `CertificateFilesError`.
 */
export async function startPublicListeners(
  ctx: Context,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<PublicListeners | null> {
  const { tls } = ctx.config
  if (tls.mode === 'off') {
    await syncNames(ctx, []) // An earlier configuration may have wanted some.
    return null
  }
  const listeners = new PublicListeners({
    ...{ config: ctx.config, log: ctx.log, answer },
    answerPlain: (request) => answerPlain(request, partsOf(ctx)),
  })
  if (tls.files) ctx.state.tls.files = new CertificateFiles(tls.files)
  await refreshTls(ctx)
  const { certificates, fileFault } = ctx.state.tls
  if (tls.mode === 'files' && certificates.length === 0) throw new CertificateFilesError(fileFault ?? 'no certificate')
  listeners.open()
  ctx.state.tls.listeners = listeners
  listeners.serve(certificates)
  return listeners
}

const partsOf = ({ state: { tls }, config }: Context) => ({
  proofOf: tls.proofOf,
  isServed: (host: string) =>
    config.tls.names.includes(host) || tls.certificates.some((certificate) => isFor(certificate, host)),
  httpsPort: tls.listeners?.httpsPort ?? config.tls.httpsPort,
})

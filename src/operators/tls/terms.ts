import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { migrate } from '../../base/db/migrate'
import { acceptTerms, areTermsAccepted, callParts } from './account'
import { readDirectory } from './acme/client'
import { AcmeError } from './acme/problem'

/**
 * Makes sure that the operator has accepted the terms of the certificate authority, once for each authority: by an option, by
 * a variable, or by a yes on the terminal. Throws a `UsageError` with the address of the terms.
 */
export async function requireTerms(ctx: Context, io: Pick<Io, 'confirm' | 'isTerminal'>): Promise<void> {
  const { tls } = ctx.config
  if (tls.mode !== 'auto') return
  await migrate(ctx.storage)
  if (await areTermsAccepted(ctx)) return
  const termsUrl = await readTerms(ctx)
  const question = `Do you accept the terms of the certificate authority at ${termsUrl}?`
  if (termsUrl === null || tls.acme.areTermsAccepted || (io.isTerminal && (await io.confirm(question))))
    return acceptTerms(ctx, termsUrl)
  throw new UsageError(
    `The certificate authority has terms: ${termsUrl} Read them; then accept them with --accept-ca-terms or SVC_ACCEPT_CA_TERMS=1`,
  )
}

async function readTerms(ctx: Context): Promise<string | null> {
  const { url, areTermsAccepted: isAccepted } = ctx.config.tls.acme
  try {
    return (await readDirectory(callParts(ctx), url)).termsOfService
  } catch (error) {
    // A server starts also while the authority is away, when its terms are accepted anyway.
    if (isAccepted) return null
    if (!(error instanceof AcmeError)) throw error
    throw new CommandFailure(
      'HTTP_ERROR',
      `The terms of the certificate authority cannot be read, because ${error.message}; check SVC_ACME_URL and the network.`,
    )
  }
}

import { isIP } from 'node:net'
import type { Context } from '../../base/context'
import { DAY, outsideNow } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import { openAccountClient, openDirectory } from './account'
import type { AcmeClient, Directory } from './acme/client'
import { makeCsr, makeKey, renewalIdOf } from './acme/crypto'
import { beginOrder, type ChallengeType, completeOrder, type Prover } from './acme/order'
import { AcmeError } from './acme/problem'
import { isFor, readPair, type ServedCertificate } from './certificate'
import { failureOf, NotReady } from './failure'
import { saveFailure, saveIssued } from './outcome'
import { chooseProver } from './prove'
import { deleteTlsOrder, findTlsCertificate, findTlsOrder, type NameRow, saveTlsOrder } from './queries'
import { type OpenOrder, openCertificate, openOrder, sealFor, vaultOf } from './sealed'

/** Gets a certificate for a name and writes how that ended. Throws only when the process stops. */
export async function issue(ctx: Context, row: NameRow): Promise<void> {
  const { signal } = ctx.state.tls
  const attempt: { challenge: ChallengeType | null } = { challenge: null }
  try {
    const issued = await obtain(ctx, row, attempt)
    await saveIssued(ctx, row.name, issued)
    ctx.log.info('a certificate was issued', { name: row.name, until: new Date(issued.notAfter).toISOString() })
  } catch (error) {
    signal.throwIfAborted()
    const failure = failureOf(error, attempt.challenge)
    ctx.log.warn('a certificate could not be issued', { name: row.name, code: failure.code, detail: failure.detail })
    await saveFailure(ctx, row.name, failure)
  }
}

async function obtain(
  ctx: Context,
  { name, projectId }: NameRow,
  attempt: { challenge: ChallengeType | null },
): Promise<ServedCertificate> {
  const directory = await openDirectory(ctx)
  const client = await openAccountClient(ctx, directory)
  const prover = await chooseProver(ctx, name, projectId !== null)
  attempt.challenge = prover.type
  const chain = await continueOrder(ctx, client, name, prover)
  if (chain !== null) return chain
  const { order, client: used } = await placeOrder(ctx, client, name)
  return complete(used, name, order, prover)
}

/** Continues what a process that ended has started; null when there is nothing, or nothing that can be continued. */
async function continueOrder(
  ctx: Context,
  client: AcmeClient,
  name: string,
  prover: Prover,
): Promise<ServedCertificate | null> {
  const row = await findTlsOrder(ctx, name)
  const order = row && openOrder(ctx.vault, row)
  if (!order) return null
  try {
    return await complete(client, name, order, prover)
  } catch (error) {
    // An authority that is away answers later; anything else is said of this order, and a new one may do better.
    if (!(error instanceof AcmeError) || error.type === 'unreachable' || error.status >= 500) throw error
    await ctx.write((tx) => deleteTlsOrder(tx, name))
    return null
  }
}

async function placeOrder(ctx: Context, client: AcmeClient, name: string) {
  const key = await makeKey()
  const { url, used } = await beginAsKnown(ctx, client, name)
  const order: OpenOrder = { url, key }
  const sealed = sealFor(vaultOf(ctx), 'order', name, order)
  await ctx.write((tx) => saveTlsOrder(tx, { name, sealed, createdAt: outsideNow(tx) }))
  return { order, client: used }
}

/** The authority may have closed the account, or may have lost it. Then a new one is registered, once. */
async function beginAsKnown(ctx: Context, client: AcmeClient, name: string) {
  const wish = { name, profile: profileFor(ctx, name, client.directory), replaces: await replacedBy(ctx, name, client) }
  try {
    return { url: await beginOrder(client, wish), used: client }
  } catch (error) {
    if (!(error instanceof AcmeError) || !/^(accountDoesNotExist|unauthorized)$/.test(error.type)) throw error
    const used = await openAccountClient(ctx, client.directory, client.key.thumbprint)
    return { url: await beginOrder(used, wish), used }
  }
}

/** The profile that is asked for. Authorities give IP addresses short certificates only. */
export function profileFor({ config }: Pick<Context, 'config'>, name: string, { profiles }: Directory): string | null {
  const chosen = config.tls.acme.profile ?? (isIP(name) === 0 ? null : 'shortlived')
  if (chosen === null || profiles.includes(chosen)) return chosen
  if (config.tls.acme.profile === null) return null
  const known = profiles.length === 0 ? 'it has none' : `it has ${profiles.join(', ')}`
  throw new NotReady('ca', reasonText('TLS_NO_PROFILE', { name: chosen, words: known }))
}

async function replacedBy(ctx: Context, name: string, { directory }: AcmeClient): Promise<string | null> {
  if (directory.renewalInfo === null) return null
  const row = await findTlsCertificate(ctx, name)
  const certificate = row && openCertificate(ctx.vault, row)
  return certificate ? renewalIdOf(certificate.chain) : null
}

async function complete(
  client: AcmeClient,
  name: string,
  { url, key }: OpenOrder,
  prover: Prover,
): Promise<ServedCertificate> {
  const chain = await completeOrder(client, url, await makeCsr(name, key), prover)
  const pair = readPair(chain, key)
  if (typeof pair === 'string') throw new AcmeError('malformedAnswer', `its certificate ${pair}`)
  if (!isFor(pair, name)) throw new AcmeError('malformedAnswer', `its certificate is not for ${name}`)
  const now = client.parts.now()
  if (pair.notAfter <= now || pair.notBefore > now + DAY) throw new NotReady('other', reasonText('TLS_NOT_VALID'))
  return pair
}

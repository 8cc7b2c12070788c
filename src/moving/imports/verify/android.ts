import type { Tx } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { SECOND } from '../../../base/lib/clock'
import { lookAtToken, withPredecessors } from '../../../intake/android/chain'
import type { AndroidLook, LookResult } from '../../../intake/android/fetch'
import { familyOf, namedProducts } from '../../../intake/android/match'
import { recordUpdate } from '../../../intake/android/news'
import { lockLooks } from '../../../intake/android/order-chain'
import { ANDROID, tokensOf } from '../../../intake/android/record'
import { findByChain, findPurchaseById } from '../../../people/purchases/queries'
import type { SubscriberRow } from '../../../people/subscribers/service'
import { androidClient } from '../../../projects/connections/android-store'
import type { CallRefusal } from '../../../stores/android/answer'
import type { PlayClient } from '../../../stores/android/client'
import type { AndroidProductType } from '../../../stores/android/notification'
import { adoptChain, isLeftOut } from './chain'
import { type AnchorRow, type Answer, nothing, type RecordedAnchor, type Run } from './model'
import { settleOwner } from './owner'
import { androidReader, type OrderReader } from './readers'

/** Asks Google about a purchase token, or about the order of one. */
export async function askAndroid(run: Run, anchor: AnchorRow): Promise<Answer> {
  const { proof } = anchor
  if (proof.kind === 'ORDER' && !run.job.options.enrichUngroupedChains)
    return {
      kind: 'UNVERIFIABLE',
      why: 'the file has no purchase token; turn enrichUngroupedChains on, or send the tokens',
    }
  const named = proof.kind === 'PURCHASE_TOKEN' ? proof.token : proof.kind === 'ORDER' ? proof.id : null
  if (named === null) return { kind: 'UNVERIFIABLE', why: 'Google Play has no such proof' }
  const client = await findClient(run, named)
  if (!client) return { kind: 'UNVERIFIABLE', why: 'the project has no service account' }
  const reader = androidReader(client, run.meter, run.project.id)
  const token = proof.kind === 'ORDER' ? await tokenOfOrder(reader, named) : named
  return typeof token === 'string' ? askToken(run, anchor, client, reader, token) : token
}

async function findClient({ ctx, project }: Run, named: string): Promise<PlayClient | null> {
  try {
    return await androidClient(ctx, project, named)
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'STORE_NOT_CONFIGURED') return null
    throw error
  }
}

async function tokenOfOrder(reader: OrderReader, orderId: string): Promise<string | Answer> {
  const answer = await reader.getOrder(orderId)
  if (answer.kind !== 'ok') return refusalOf(answer)
  const { purchaseToken } = answer.body
  if (typeof purchaseToken === 'string' && purchaseToken !== '') return purchaseToken
  return { kind: 'UNRECOGNISED', why: 'Google Play names no token for the order' }
}

async function askToken(
  run: Run,
  anchor: AnchorRow,
  client: PlayClient,
  reader: OrderReader,
  purchaseToken: string,
): Promise<Answer> {
  const { ctx, project } = run
  client.refused.forget(purchaseToken)
  let result: LookResult = { kind: 'mismatch' }
  for (const family of await familiesOf(run, anchor)) {
    const storeProductId = anchor.proof.kind === 'PURCHASE_TOKEN' ? anchor.proof.product : null
    result = await lookAtToken(ctx, reader, project, { purchaseToken, family, storeProductId })
    if (result.kind !== 'not_found') break
  }
  if (result.kind !== 'found') return answerFor(result)
  const { look } = result
  if (await isLeftOut(run, anchor, look.environment))
    return { kind: 'UNVERIFIABLE', why: 'it is a test purchase, which this import leaves out' }
  return found(run, anchor, reader, look)
}

/** Google knows a token as a subscription or as a one-time purchase. Where nothing says which, it is asked for both. */
async function familiesOf({ ctx, project }: Run, { proof, purchaseId }: AnchorRow): Promise<AndroidProductType[]> {
  if (proof.kind === 'PURCHASE_TOKEN' && proof.isSubscription !== null)
    return [proof.isSubscription ? 'SUBSCRIPTION' : 'ONE_TIME']
  const product = proof.kind === 'PURCHASE_TOKEN' ? proof.product : null
  const sold = product === null ? [] : namedProducts(project.catalog, product).map(familyOf)
  if (sold.length > 0) return [...new Set(sold)]
  const held = purchaseId === null ? null : await findPurchaseById(ctx, project.id, purchaseId)
  const first = held && held.fold.productType !== 'SUBSCRIPTION' ? 'ONE_TIME' : 'SUBSCRIPTION'
  return first === 'ONE_TIME' ? ['ONE_TIME', 'SUBSCRIPTION'] : ['SUBSCRIPTION', 'ONE_TIME']
}

async function found(run: Run, anchor: AnchorRow, reader: OrderReader, look: AndroidLook): Promise<Answer> {
  try {
    const looks = await withPredecessors(run.ctx, reader, run.project, look)
    return { kind: 'FOUND', record: (tx, person) => record(tx, run, anchor, looks, look.purchaseToken, person) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.refusal === 'STORE_UNAVAILABLE') return AWAY
    if (error.refusal === 'STORE_API_ERROR') return { kind: 'UNREADABLE', why: 'a purchase before it cannot be read' }
    throw error
  }
}

const AWAY: Extract<Answer, { kind: 'AWAY' }> = {
  kind: 'AWAY',
  why: 'Google Play did not answer',
  isLimit: false,
  retryAfterMs: null,
}

const UNKNOWN = {
  not_found: 'Google Play does not know the purchase',
  not_paid: 'the purchase is not paid',
  cancelled: 'the purchase was cancelled before it was paid',
  mismatch: 'Google Play names no product of the purchase',
} as const

function answerFor(result: Exclude<LookResult, { kind: 'found' }>): Answer {
  if (result.kind in UNKNOWN) return { kind: 'UNRECOGNISED', why: UNKNOWN[result.kind as keyof typeof UNKNOWN] } // The line above has checked it.
  if (result.kind === 'unreadable') return { kind: 'UNREADABLE', why: `unreadable at ${result.field}` }
  return refusalOf(result as CallRefusal) // The other kinds are those of a call.
}

function refusalOf(refusal: CallRefusal): Answer {
  if (refusal.kind === 'not_found') return { kind: 'UNRECOGNISED', why: UNKNOWN.not_found }
  if (refusal.kind === 'unavailable') {
    const { why, status, retryAfter } = refusal
    const isLimit = status === 429 || why === 'circuit_open'
    return { ...AWAY, isLimit, retryAfterMs: retryAfter === undefined ? null : retryAfter * SECOND }
  }
  const { why, status, reason } = refusal
  const told = [status, reason].filter((one) => one !== null).join(' ')
  if (reason === 'applicationNotFound') return { kind: 'REFUSED', why: 'Google Play does not know the package name' }
  if (why === 'credentials')
    return { kind: 'REFUSED', why: `Google Play refused the service account (${told || 'no access token'})` }
  return { kind: 'UNREADABLE', why: `Google Play answered ${told}` }
}

async function record(
  tx: Tx,
  { project, job }: Run,
  anchor: AnchorRow,
  looks: AndroidLook[],
  purchaseToken: string,
  named: SubscriberRow,
): Promise<RecordedAnchor> {
  const tokens = tokensOf(looks)
  await lockLooks(tx, project.id, tokens, looks)
  if (await isSameChain(tx, project.id, anchor)) await adoptChain(tx, project.id, anchor, purchaseToken)
  const known = new Set<string>()
  for (const token of tokens) if (await findByChain(tx, project.id, ANDROID, token)) known.add(token)
  const find = () => findByChain(tx, project.id, ANDROID, purchaseToken)
  const { person, cause, note } = await settleOwner(tx, project, job, ANDROID, named, find)
  const result = await recordUpdate(tx, project, { purchaseToken, looks, marker: null, idle: null }, cause, person)
  if (result.kind === 'idle') return nothing(result.reason)
  const touched: RecordedAnchor['touched'] = []
  for (const token of tokens) {
    const row = await findByChain(tx, project.id, ANDROID, token)
    if (row) touched.push({ purchaseId: row.id, isNew: !known.has(token) })
  }
  return { purchase: await find(), touched: note === null ? touched : [], note }
}

/**
 * Whether the purchase that an anchor names may be the one of its token. One that is known by Google's orders is not,
 * unless they are the same: `lockLooks` has joined it by then.
 */
async function isSameChain(tx: Tx, projectId: string, { purchaseId, proof }: AnchorRow): Promise<boolean> {
  if (proof.kind === 'ORDER') return true
  const held = purchaseId === null ? null : await findPurchaseById(tx, projectId, purchaseId)
  return held !== null && !/^GPA\./.test(held.originalTransactionId)
}

import { AppError } from '../../../base/errors'
import { reasonText } from '../../../core/reason/reasons'
import { lookAtToken, withPredecessors } from '../../../intake/android/chain'
import type { AndroidLook, LookResult } from '../../../intake/android/fetch'
import { familyOf, namedProducts } from '../../../intake/android/match'
import { findPurchaseById } from '../../../people/purchases/queries'
import { androidClient } from '../../../projects/connections/android-store'
import type { PlayClient } from '../../../stores/android/client'
import type { AndroidProductType } from '../../../stores/android/notification'
import { AWAY, answerFor, refusalOf } from './android-answers'
import { recordAndroid } from './android-record'
import { isLeftOut } from './chain'
import type { AnchorRow, Answer, Run } from './model'
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
    return { kind: 'FOUND', record: (tx, person) => recordAndroid(tx, run, anchor, looks, look.purchaseToken, person) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.refusal === 'STORE_UNAVAILABLE') return AWAY
    if (error.refusal === 'STORE_API_ERROR')
      return { kind: 'UNREADABLE', why: reasonText('EARLIER_PURCHASE_UNREADABLE') }
    throw error
  }
}

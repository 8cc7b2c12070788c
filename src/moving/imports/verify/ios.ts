import { AppError } from '../../../base/errors'
import { SECOND } from '../../../base/lib/clock'
import { reasonText } from '../../../core/reason/reasons'
import { verifyIosReceipt } from '../../../intake/ios/verify'
import { findPurchaseById, type PurchaseRow } from '../../../people/purchases/queries'
import { iosApiClient } from '../../../projects/connections/ios-api'
import type { ApiResult } from '../../../stores/ios/api-client-answer'
import type { DecodedTransaction } from '../../../stores/ios/decode'
import { type StatusAnswer, verifyStatus } from '../../../stores/ios/status'
import type { PurchaseEnvironment } from '../../../stores/observation'
import { isLeftOut } from './chain'
import { recordIos } from './ios-record'
import type { AnchorRow, Answer, Run } from './model'
import { type IosReader, iosReader } from './readers'

/** Reads a signed transaction without a call, or asks the App Store about a transaction. */
export async function askIos(run: Run, anchor: AnchorRow): Promise<Answer> {
  const { proof } = anchor
  if (proof.kind === 'RECEIPT') return readReceipt(run, anchor, proof.jws)
  if (proof.kind !== 'ORIGINAL_TRANSACTION') return { kind: 'UNVERIFIABLE', why: 'the App Store has no such proof' }
  const { ctx, project } = run
  const client = await iosApiClient(ctx, project, proof.id)
  if (!client || !project.ios || !ctx.state.iosStore.isReady) return NO_KEY
  const held = anchor.purchaseId === null ? null : await findPurchaseById(ctx, project.id, anchor.purchaseId)
  return askEnvironments(run, anchor, iosReader(client, run.meter), { id: proof.id, held })
}

const NO_KEY: Answer = { kind: 'UNVERIFIABLE', why: 'the project has no in-app purchase key' }

async function readReceipt(run: Run, anchor: AnchorRow, jws: string): Promise<Answer> {
  const { ctx, project } = run
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jws))
    return { kind: 'UNVERIFIABLE', why: 'it is a receipt of the older kind, which only the device can renew' }
  try {
    return await found(run, anchor, await verifyIosReceipt(ctx, project, jws))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.refusal === 'RECEIPT_INVALID') return { kind: 'UNRECOGNISED', why: error.message }
    if (error.refusal === 'STORE_NOT_CONFIGURED') return { kind: 'UNVERIFIABLE', why: 'the project has no iOS app' }
    if (error.refusal !== 'FEATURE_NOT_CONFIGURED') throw error
    return { kind: 'UNVERIFIABLE', why: 'the certificates of the App Store are missing' }
  }
}

interface Question {
  id: string
  held: PurchaseRow | null
}

/** A purchase on record is in its own environment. For a bare id, that of the paid purchases comes first. */
async function askEnvironments(run: Run, anchor: AnchorRow, reader: IosReader, question: Question): Promise<Answer> {
  const { held } = question
  const others: PurchaseEnvironment[] = run.job.options.skipSandbox ? [] : ['SANDBOX']
  const environments = held ? [held.environment] : ['PRODUCTION' as const, ...others]
  let answer: Answer = UNKNOWN
  for (const environment of environments) {
    answer = await askOne(run, anchor, reader, question, environment)
    if (answer.kind !== 'UNRECOGNISED') return answer
  }
  return answer
}

const UNKNOWN: Answer = { kind: 'UNRECOGNISED', why: 'the store does not know the transaction' }

async function askOne(
  run: Run,
  anchor: AnchorRow,
  reader: IosReader,
  { id, held }: Question,
  environment: PurchaseEnvironment,
): Promise<Answer> {
  if (held && isOwnSubscription(held)) return askStatus(run, anchor, reader, held.originalTransactionId, environment)
  // A file may name no transaction; then the import has made up a name.
  const recorded = held?.fold.storeTransactionId ?? ''
  const named = /^\d+$/.test(recorded) ? recorded : id
  const result = await reader.getTransactionInfo(environment, named)
  if (!result.ok) return refusalOf(result)
  const transaction = await readTransaction(run, result.value.signedTransactionInfo)
  if (typeof transaction === 'string') return { kind: 'UNREADABLE', why: transaction }
  if (transaction.environment !== environment) return UNKNOWN
  if (![transaction.transactionId, transaction.originalTransactionId].includes(named))
    return { kind: 'UNREADABLE', why: reasonText('APP_STORE_OTHER_TRANSACTION') }
  if (!transaction.isSubscription) return found(run, anchor, transaction)
  // The state of a shared subscription is that of its buyer, whose transaction is another one.
  if (transaction.ownershipType === 'FAMILY_SHARED') return found(run, anchor, transaction)
  return askStatus(run, anchor, reader, transaction.originalTransactionId, environment)
}

/** Whether one call tells everything: the id of its chain is known, and the person has bought it. */
const isOwnSubscription = ({ originalTransactionId, fold }: PurchaseRow): boolean =>
  fold.productType === 'SUBSCRIPTION' && fold.ownershipType === 'PURCHASED' && /^\d+$/.test(originalTransactionId)

async function readTransaction({ ctx, project }: Run, signed: string): Promise<DecodedTransaction | string> {
  try {
    return await verifyIosReceipt(ctx, project, signed)
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'RECEIPT_INVALID') return error.message
    throw error
  }
}

async function askStatus(
  run: Run,
  anchor: AnchorRow,
  reader: IosReader,
  id: string,
  environment: PurchaseEnvironment,
): Promise<Answer> {
  const result = await reader.getAllSubscriptionStatuses(environment, id)
  if (!result.ok) return refusalOf(result)
  const held = result.value.data.flatMap(({ lastTransactions }) => lastTransactions)
  const status = held.find(({ originalTransactionId }) => originalTransactionId === id)
  if (!status) return UNKNOWN
  const read = await readStatus(run, status, environment, id)
  return read.ok ? found(run, anchor, read.transaction) : { kind: 'UNREADABLE', why: read.detail }
}

function readStatus(
  { ctx, project }: Run,
  answer: StatusAnswer,
  environment: PurchaseEnvironment,
  originalTransactionId: string,
): ReturnType<typeof verifyStatus> {
  const bundleId = project.ios?.bundleId ?? ''
  return verifyStatus(answer, ctx.state.iosStore.of(project.id), { bundleId, environment, originalTransactionId })
}

function refusalOf(result: Exclude<ApiResult<unknown>, { ok: true }>): Answer {
  if (result.kind === 'unavailable') {
    const { retryAfter } = result
    const retryAfterMs = retryAfter === undefined ? null : retryAfter * SECOND
    return { kind: 'AWAY', why: 'the App Store did not answer', isLimit: retryAfterMs !== null, retryAfterMs }
  }
  const { status, errorCode } = result
  if (status === 404 || status === 400) return UNKNOWN
  if (status === 401 || status === 403)
    return { kind: 'REFUSED', why: reasonText('APP_STORE_REFUSED_KEY', { httpStatus: String(status) }) }
  const told = { httpStatus: String(status), words: String(errorCode ?? 'unnamed') }
  return { kind: 'UNREADABLE', why: reasonText('APP_STORE_ANSWERED', told) }
}

async function found(run: Run, anchor: AnchorRow, transaction: DecodedTransaction): Promise<Answer> {
  if (await isLeftOut(run, anchor, transaction.environment))
    return { kind: 'UNVERIFIABLE', why: 'it is of the sandbox, which this import leaves out' }
  return { kind: 'FOUND', record: (tx, person) => recordIos(tx, run, anchor, transaction, person) }
}

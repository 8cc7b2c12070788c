import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { Creation } from '../../people/subscribers/creation'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import {
  assertLive,
  findReferenced,
  isSubscriberId,
  type SubscriberRow,
  subscriberOfDevice,
} from '../../people/subscribers/service'
import type { KeyState, ProjectState } from '../../projects/project/state'
import { iosRestoring } from '../ios/restore'
import type { ReceiptInput } from '../receipts/receipt'
import type { RestoringStore, SubmittedReceipt } from '../receipts/restoring'

export interface RestoringStores {
  ios: RestoringStore
  android: RestoringStore
  /** A restore without receipts: queries the stores about purchases that end, or ended, within 24 h. */
  recheck(ctx: Context, project: ProjectState, subscriber: SubscriberRow): Promise<void>
}

export interface RestoreOrder {
  /** A subscriber reference (wire 1.8). */
  reference: string
  receipts: readonly SubmittedReceipt[]
  creation: Creation | null
  requestId: string
}

export interface RestoreResult extends Omit<SubmittedReceipt, 'receipt'> {
  /** Null = restored; else the error code of the refusal. */
  code: string | null
}

export interface Restored {
  subscriber: SubscriberRow
  results: RestoreResult[]
}

/**
 * Records the receipts that a device finds, in order and each in its own transaction (wire 2.8). The refusal of a
 * receipt is its result, and a device that is unknown is created, so that it can read them. A fault of ours or of a
 * store fails the whole call, after all have been tried. 409 when all are in use; 400 when the store of all is not set
 * up.
 */
export async function restorePurchases(
  ctx: Context,
  project: ProjectState,
  key: KeyState,
  order: RestoreOrder,
  stores: RestoringStores,
): Promise<Restored> {
  const known = await findReferenced(ctx, key, order.reference)
  if (order.receipts.length === 0) return { subscriber: await recheck(ctx, project, order, known, stores), results: [] }
  if (known) assertLive(known)
  else if (isSubscriberId(order.reference)) throw notFound('subscriber', order.reference)
  const deviceKey = known?.deviceKey ?? checkDeviceKey(order.reference, 'appUserId')
  const results = await tryAll(order.receipts, (submitted) => {
    const { receipt, productId } = submitted
    const { creation, requestId } = order
    const context = { presentedContext: null, appAccountToken: null, causeKind: 'RESTORE' } as const
    const input: ReceiptInput = { receipt, productId, deviceKey, creation, requestId, ...context }
    return storeOf(stores, submitted).submit(ctx, project, key, input)
  })
  for (const code of OF_ALL) if (results.every((result) => result.code === code)) throw new AppError(code)
  return { subscriber: await subscriberOfDevice(ctx, project.id, deviceKey, order.creation), results }
}

/** The refusals that are the answer to the whole call when every receipt got the same one. */
const OF_ALL = ['RECEIPT_IN_USE', 'STORE_NOT_CONFIGURED'] as const

/**
 * The answer to a repetition, from the current state. It records nothing, so a purchase that has moved to another
 * subscriber stays there. A receipt that the first answer refused keeps its code unless the subscriber owns it now.
 */
export async function renderRestore(
  ctx: Context,
  project: ProjectState,
  key: KeyState,
  order: RestoreOrder,
  stores: RestoringStores,
  firstCodes: readonly (string | null)[],
): Promise<Restored> {
  const subscriber = await findReferenced(ctx, key, order.reference)
  if (!subscriber) throw notFound('subscriber', order.reference)
  const results = await tryAll(order.receipts, async (submitted) => {
    const isHeld = await storeOf(stores, submitted).isHeld(ctx, project, subscriber, submitted)
    if (!isHeld) throw new AppError('RECEIPT_IN_USE')
  })
  const codeOf = ({ code }: RestoreResult, index: number) => (code === null ? null : (firstCodes[index] ?? code))
  return { subscriber, results: results.map((result, index) => ({ ...result, code: codeOf(result, index) })) }
}

async function recheck(
  ctx: Context,
  project: ProjectState,
  { reference }: RestoreOrder,
  known: SubscriberRow | null,
  stores: RestoringStores,
): Promise<SubscriberRow> {
  if (!known) throw notFound('subscriber', reference)
  if (known.erasedAt === null) await stores.recheck(ctx, project, known)
  return known
}

const storeOf = ({ ios, android }: RestoringStores, { store }: SubmittedReceipt): RestoringStore =>
  store === 'IOS_STORE' ? ios : android

async function tryAll(
  receipts: readonly SubmittedReceipt[],
  attempt: (submitted: SubmittedReceipt) => Promise<unknown>,
): Promise<RestoreResult[]> {
  const results: RestoreResult[] = []
  const outages: AppError[] = []
  for (const submitted of receipts) {
    const refusal = await refusalOf(() => attempt(submitted))
    if (refusal && refusal.status >= 500) outages.push(refusal)
    results.push({ store: submitted.store, productId: submitted.productId, code: refusal?.refusal ?? null })
  }
  const outage = outages.find(({ refusal }) => refusal === 'STORE_UNAVAILABLE') ?? outages[0]
  if (outage) throw outage
  return results
}

/** The refusal of one receipt. Errors of the whole call are thrown: no live subscriber, or no database. */
async function refusalOf(attempt: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await attempt()
    return null
  } catch (error) {
    const isOfReceipt = error instanceof AppError && !OF_THE_CALL.includes(error.refusal)
    if (isOfReceipt) return error
    throw error
  }
}

const OF_THE_CALL: readonly string[] = ['SUBSCRIBER_UNRESOLVABLE', 'DATABASE_UNAVAILABLE', 'RATE_LIMITED']

const refuse = async (): Promise<never> => {
  throw new AppError('STORE_NOT_CONFIGURED')
}

/** Without an Android store: its receipts are refused one by one. */
export const IOS_ONLY: RestoringStores = {
  ios: iosRestoring,
  android: { submit: refuse, isHeld: refuse },
  recheck: async () => {},
}

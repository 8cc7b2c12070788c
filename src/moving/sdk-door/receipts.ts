import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { retryAfterSeconds } from '../../base/http/rate-limit'
import { submitAndroidReceipt } from '../../intake/android/receipt'
import { submitIosReceipt } from '../../intake/ios/receipt'
import type { Creation } from '../../people/subscribers/creation'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { SdkCaller } from './model'
import { proofOf, type ReceiptBody, readReceipt, type SoldName } from './receipt-body'
import { INVALID_RECEIPT, SdkRefusal } from './refusal'
import { buyAtTestStore } from './test-store'

export interface ReceiptOrder {
  row: SubscriberRow
  body: Readonly<Record<string, unknown>>
  requestId: string
  creation: Creation
}

/** The answer to an Android phone about the products that it has bought. */
export interface Bought {
  purchased: Record<string, { should_consume: boolean }>
}

const NOTHING: Bought = { purchased: {} }
const RECEIPTS_PER_MINUTE = 120

/** Records a receipt through the services that record those of our own client. */
export async function submitReceipt(ctx: Context, caller: SdkCaller, order: ReceiptOrder): Promise<Bought> {
  await countReceipt(ctx, caller, order)
  const body = readReceipt(order.body)
  const proof = proofOf(caller, body.token)
  switch (proof.kind) {
    case 'NONE':
      return NOTHING
    case 'TEST':
      return testPurchase(ctx, caller, order, body)
    case 'IOS':
      for (const receipt of proof.receipts) await submitIos(ctx, caller, order, body, receipt)
      return NOTHING
    case 'ANDROID':
      return submitAndroid(ctx, caller, order, body)
    case 'UNREADABLE':
      throw new SdkRefusal(503, 0, proof.why, {}, RETRY_SECONDS)
    case 'FORGED':
      throw new SdkRefusal(400, INVALID_RECEIPT, proof.why)
  }
}

const RETRY_SECONDS = 60

async function countReceipt(ctx: Context, { project }: SdkCaller, { row }: ReceiptOrder): Promise<void> {
  const now = ctx.clock.now()
  const state = await ctx.state.limits.hit('receipts', `${project.id}:${row.deviceKey}`, RECEIPTS_PER_MINUTE, now)
  if (!state?.isExceeded) return
  const seconds = retryAfterSeconds(state, now)
  throw new AppError('RATE_LIMITED', { retryAfterSeconds: seconds }, { retryAfter: seconds })
}

/** The project with the rule of the former vendor for purchases of another person. */
export function withRestoreBehavior(project: ProjectState): ProjectState {
  const { restoreBehavior } = project.sdkDoor
  if (restoreBehavior === 'project') return project
  const purchaseTransfer = restoreBehavior === 'transfer' ? ('always' as const) : ('never' as const)
  return { ...project, settings: { ...project.settings, purchaseTransfer } }
}

const inputOf = ({ row, creation, requestId }: ReceiptOrder, { isRestore, context }: ReceiptBody) => ({
  deviceKey: row.deviceKey,
  presentedContext: context,
  appAccountToken: null,
  creation,
  requestId,
  causeKind: isRestore ? ('RESTORE' as const) : ('RECEIPT' as const),
})

async function submitIos(
  ctx: Context,
  { project, key }: SdkCaller,
  order: ReceiptOrder,
  body: ReceiptBody,
  { receipt, productId }: { receipt: string; productId: string | null },
): Promise<void> {
  const named = productId ?? body.products[0]?.id ?? ''
  await submitIosReceipt(ctx, withRestoreBehavior(project), key, {
    ...inputOf(order, body),
    receipt,
    productId: named,
  })
}

async function submitAndroid(
  ctx: Context,
  { project, key }: SdkCaller,
  order: ReceiptOrder,
  body: ReceiptBody,
): Promise<Bought> {
  const [first] = body.products
  if (!first) throw new SdkRefusal(400, INVALID_RECEIPT, 'The receipt names no product')
  await submitAndroidReceipt(ctx, withRestoreBehavior(project), key, {
    ...inputOf(order, body),
    receipt: body.token,
    productId: nameOf(project, first),
    obfuscatedAccountId: null,
  })
  return { purchased: consumption(project, body.products) }
}

/** With its base plan where the catalogue has a product for the plan. */
function nameOf({ catalog }: ProjectState, { id, plan }: SoldName): string {
  const isKnown = (catalog.productsByAndroidId.get(id) ?? []).some(
    ({ androidBasePlanId }) => androidBasePlanId === plan,
  )
  return plan !== null && isKnown ? `${id}:${plan}` : id
}

/** A phone consumes only what the answer names, and what is not consumed cannot be bought again. */
function consumption({ catalog }: ProjectState, products: readonly SoldName[]): Bought['purchased'] {
  const entries = products.flatMap(({ id }) => {
    const product = catalog.productsByAndroidId.get(id)?.[0] ?? catalog.productByIdentifier.get(id)
    if (!product || product.type === 'SUBSCRIPTION') return []
    return [[id, { should_consume: product.type === 'CONSUMABLE' }] as const]
  })
  return Object.fromEntries(entries)
}

async function testPurchase(
  ctx: Context,
  { project }: SdkCaller,
  { row }: ReceiptOrder,
  { token, products }: ReceiptBody,
): Promise<Bought> {
  const [first] = products
  if (!first) throw new SdkRefusal(400, INVALID_RECEIPT, 'The receipt names no product')
  await buyAtTestStore(ctx, project, { token, deviceKey: row.deviceKey, product: first.id })
  return { purchased: consumption(project, products) }
}

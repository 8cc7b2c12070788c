import type { Context } from '../../base/context'
import { inParallel } from '../../base/lib/parallel'
import { entitlementsOf } from '../../people/entitlements/service'
import { findPurchases, listPurchasesOfAll, type PurchaseRow, purchaseAsOf } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import {
  findByDeviceKey,
  findByLabel,
  findSubscriber,
  resolveRow,
  type SubscriberRow,
  unlessUnresolvable,
} from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { FoundPurchase, OurPurchase, OurSide, TheirPurchase } from './core/model'
import { transactionKey } from './core/model'
import { listPurchaseIdsByTransaction } from './queries'

export interface AtInstant {
  project: ProjectState
  at: number
  skipSandbox: boolean
}

/** What the rows of one person hold at an instant, as `explain` computes it. The first row is the person's. */
export async function readOurs(
  ctx: Context,
  { project, at, skipSandbox }: AtInstant,
  rows: readonly [SubscriberRow, ...SubscriberRow[]],
): Promise<OurSide> {
  const byRow = await listPurchasesOfAll(
    ctx,
    rows.map(({ id }) => id),
  )
  const past: PurchaseRow[] = []
  for (const row of [...byRow.values()].flat()) {
    const known = await purchaseAsOf(ctx, project, row, at)
    if (known) past.push(known)
  }
  const counting = skipSandbox ? past.filter(({ environment }) => environment === 'PRODUCTION') : past
  return {
    entitlements: entitlementsOf(project, rows[0], counting, at),
    purchases: past.map((row) => toOurPurchase(project, row, at)),
  }
}

function toOurPurchase({ catalog }: ProjectState, row: PurchaseRow, at: number): OurPurchase {
  const { id, subscriberId, store, environment, productId, originalTransactionId, fold } = row
  const productIdentifier = (productId === null ? null : catalog.products.get(productId)?.identifier) ?? 'unknown'
  return {
    ...{ id, subscriberId, store, environment, productId, productIdentifier, originalTransactionId },
    state: statusAt(fold, at),
  }
}

/** Looks for transactions in the whole project (rule 18). `isOwn`: whether a row is of the person who was asked about. */
export async function findTransactions(
  ctx: Context,
  { project, at }: AtInstant,
  missing: readonly TheirPurchase[],
  ownIds: ReadonlySet<string>,
): Promise<Map<string, FoundPurchase & { row: SubscriberRow | null }>> {
  const found = new Map<string, FoundPurchase & { row: SubscriberRow | null }>()
  await inParallel(missing, 1, async (their) => {
    if (their.store === null || their.transactionId === null) return
    const ids = await listPurchaseIdsByTransaction(ctx, project.id, their.store, their.transactionId)
    const rows = (await findPurchases(ctx, project.id, ids)).filter(({ store }) => store === their.store)
    // A family share has the transaction of the purchase that it comes from.
    const row = rows.find(({ subscriberId }) => ownIds.has(subscriberId)) ?? rows.find(isBought)
    if (!row) return
    const purchase = toOurPurchase(project, row, at)
    if (ownIds.has(row.subscriberId)) return void found.set(transactionKey(their), { purchase, owner: null, row: null })
    // Named by the row and not by the label, which would stay in the finding when the owner is erased.
    const owner = await findSubscriber(ctx, project.id, row.subscriberId)
    if (owner) found.set(transactionKey(their), { purchase, owner: owner.id, row: owner })
  })
  return found
}

const isBought = ({ fold }: PurchaseRow): boolean => fold.ownershipType === 'PURCHASED'

/** The row that the vendor's first id of a person leads to: one person there may be several rows here. */
export async function findByVendorId(ctx: Context, projectId: string, id: string): Promise<SubscriberRow | null> {
  const row =
    (await findByLabel(ctx, projectId, id)) ??
    (await findByDeviceKey(ctx, projectId, id)) ??
    (await findByDeviceKey(ctx, projectId, `import:${id}`))
  if (!row) return null
  const live = await resolveRow(ctx, row).catch(unlessUnresolvable)
  return live?.erasedAt === null ? live : null
}

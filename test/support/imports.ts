import { AGAIN } from '../../src/moving/imports/admin'
import { commitBatch } from '../../src/moving/imports/commit/commit-batch'
import { DEFAULT_OPTIONS } from '../../src/moving/imports/machine'
import type { BatchResult, ImportOptions, UnknownProduct } from '../../src/moving/imports/model'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import type { ImportRow } from '../../src/moving/imports/row'
import { currentAccess } from '../../src/people/entitlements/service'
import { statusAt } from '../../src/people/purchases/status'
import type { Stage } from './cast'
import { NOW } from './context'

const EMPTY: ImportRow = {
  ...{ line: 2, subscriberExternalId: 'user_1', deviceKey: null, store: 'IOS_STORE', productIdentifier: null },
  ...{ purchaseDate: null, originalTransactionId: null, storeTransactionId: null, purchaseToken: null, receipt: null },
  ...{ providerId: null, isSubscription: null, expiresDate: null, originalPurchaseDate: null },
  ...{ gracePeriodExpiresDate: null, refundedAt: null, cancelledAt: null, billingIssueAt: null, autoRenews: null },
  ...{ autoResumeAt: null, isTrial: null, isIntroOffer: null, isSandbox: null, price: null, country: null },
  ...{ ownershipType: null, quantity: null, renewalNumber: null, email: null, displayName: null, attributes: {} },
  ...{ firstSeenAt: null, lastSeenAt: null, updatedAt: null, offerId: null, entitlements: null },
}

/** A row with what differs from an empty one. */
export const importRow = (members: Partial<ImportRow>): ImportRow => ({ ...EMPTY, ...members })

/** Saves a job that writes rows. */
export async function importJob(
  s: Stage,
  options: Partial<ImportOptions> = {},
  members: Partial<ImportJobRow> = {},
): Promise<ImportJobRow> {
  const now = s.ctx.clock.now()
  const job: ImportJobRow = {
    ...{ id: s.ctx.ids.next('imp'), projectId: s.project.id, kind: 'HISTORY', status: 'RUNNING' },
    ...{ preset: null, fileName: 'history.csv', files: [], headers: [], mapping: null, ...AGAIN },
    options: { ...DEFAULT_OPTIONS, ...options },
    ...{ startedBy: 'CLI', seenAt: now, committedAt: now, filesDeletedAt: null, undoneAt: null },
    ...{ createdAt: now, updatedAt: now, ...members },
  }
  await s.ctx.write((tx) => tx.db.insert(tx.tables.importJobs).values(job))
  return job
}

/** Writes rows as the runner does: batch by batch, each in one transaction. */
export async function importRows(
  s: Stage,
  job: ImportJobRow,
  rows: readonly ImportRow[],
  size = 1000,
): Promise<BatchResult> {
  const project = await s.ctx.state.projects.get(s.project.id)
  const unknownProducts: UnknownProduct[] = []
  const sum = { subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0, skipped: 0, unknownProducts }
  for (let start = 0; start < rows.length; start += size) {
    const one = await s.ctx.write((tx) => commitBatch(tx, project, job, rows.slice(start, start + size)))
    for (const name of ['subscribersNew', 'purchasesNew', 'purchasesUpdated', 'skipped'] as const)
      sum[name] += one[name]
    unknownProducts.push(...one.unknownProducts)
  }
  return sum
}

/** The purchases of a person with their present state and access, without anything that the import's order decides. */
export async function holdingsOf(s: Stage, label: string) {
  const { db, tables: t } = s.ctx
  const project = await s.ctx.state.projects.get(s.project.id)
  const owner = (await db.select().from(t.subscribers)).find((row) => row.appUserId === label)
  if (!owner) return null
  const purchases = (await db.select().from(t.purchases)).filter(({ subscriberId }) => subscriberId === owner.id)
  const lines = (await db.select().from(t.transactions)).filter(({ subscriberId }) => subscriberId === owner.id)
  return {
    owner,
    purchases: purchases.map((row) => ({ row, state: statusAt(row.fold, s.ctx.clock.now()) })),
    lines: lines.toSorted((a, b) => a.occurredAt - b.occurredAt || (a.amountMicros ?? 0) - (b.amountMicros ?? 0)),
    access: await currentAccess(s.ctx, project, owner),
  }
}

/** Everything that an import writes, with names in the place of ids, so that two databases can be compared. */
export async function digestOf(s: Stage): Promise<unknown> {
  const { db, tables: t } = s.ctx
  const subscribers = await db.select().from(t.subscribers)
  const purchases = await db.select().from(t.purchases)
  const labelOf = new Map(subscribers.map((row) => [row.id, row.appUserId ?? row.deviceKey]))
  const nameOf = new Map(purchases.map((row) => [row.id, `${row.store} ${row.originalTransactionId}`]))
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  return {
    subscribers: sorted(
      subscribers.map(({ appUserId, deviceKey, attributes, toldAccess, firstSeenAt, mergedInto, seq }) => [
        ...[appUserId, deviceKey, attributes, toldAccess, firstSeenAt, mergedInto !== null, seq],
      ]),
    ),
    purchases: sorted(
      purchases.map(({ id, subscriberId, status, fold, effectiveEnd, productId, sweepAt }) => [
        ...[nameOf.get(id), labelOf.get(subscriberId), status, fold, effectiveEnd, productId, sweepAt],
      ]),
    ),
    observations: sorted(
      (await db.select().from(t.observations)).map(({ purchaseId, kind, id }) => [nameOf.get(purchaseId), kind, id]),
    ),
    transactions: sorted(
      (await db.select().from(t.transactions)).map((row) => [
        ...[row.revenueKey, row.kind, row.amountMicros, row.currency, row.usdMicros, row.productId],
        ...[row.occurredAt, row.renewalNumber, row.quantity, labelOf.get(row.subscriberId)],
      ]),
    ),
    figures: await figuresOf(s),
  }
}

/** What the purchases count for: sums of entries, by what names them. */
export async function figuresOf(s: Stage): Promise<[string, number][]> {
  const sums = new Map<string, number>()
  for (const row of await s.ctx.db.select().from(s.ctx.tables.figureEntries)) {
    const { position: _1, knownAt: _2, purchaseId: _3, transactionId: _4, projectId: _5, ...entry } = row
    const { kind, key, at, storeProductId, price, product, country, platform, environment, store } = entry
    const about = [kind, key, at, storeProductId, price, product, country, platform, environment, store]
    for (const [name, value] of Object.entries(entry))
      if (typeof value === 'number' && name !== 'at' && name !== 'pendingUntil' && value !== 0) {
        const place = JSON.stringify([...about, name])
        sums.set(place, (sums.get(place) ?? 0) + value)
      }
  }
  return [...sums].filter(([, value]) => value !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
}

export { NOW }

import type { Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { type PlannedReport, planMany, recordMany } from '../../../intake/recording/record-many'
import { causeOf } from '../../../people/events/model'
import type { ProjectState } from '../../../projects/project/state'
import type { UnknownProduct } from '../model'
import type { ImportRow } from '../row'
import { publishAccess } from './access'
import { anchorsOf, insertAnchors } from './anchors'
import { chainsOf, type RowChain } from './chains'
import { type MarkedPurchase, markPurchases, markSubscribers, type SubscriberMark } from './marks'
import { toOrders } from './orders'
import { type ImportedPerson, resolvePeople, writePeople } from './people'
import { importedRecheckAt } from './recheck'
import { isAnchorless, personOf, productOf } from './row-identity'
import { newerVersions } from './versions'

export type ImportJobRow = Handle['tables']['importJobs']['$inferSelect']

/** What a batch has changed. `skipped` rows were valid, but were not recorded. */
export interface BatchResult {
  subscribersNew: number
  purchasesNew: number
  purchasesUpdated: number
  skipped: number
  unknownProducts: UnknownProduct[]
}

/**
 * Records the rows of a batch as observations (wire 5.16), in the caller's transaction: subscribers, purchases, money
 * lines, figures, and what the stores can be asked about. The same rows again change nothing. Access is right at once;
 * there are no purchase events, and no currency is granted.
 */
export async function commitBatch(
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  rows: readonly ImportRow[],
): Promise<BatchResult> {
  const importedAt = job.committedAt ?? tx.clock.now()
  const wanted = rows.filter((row) => isWanted(row, job))
  const people = await resolvePeople(tx, project, wanted, importedAt)
  const living = wanted.filter((row) => people.has(personOf(row)))
  const cause = causeOf('IMPORT', job.id)
  const chains = chainsOf(living, project.catalog, job.options, importedAt)
  const { orders, skipped } = await toOrders(tx, project, chains, people, cause)
  const chainOf = new Map(orders.map((order) => [order.report, order.chain]))
  const planned = await planMany(tx, project, orders, {
    select: ({ report }, known) => newerVersions(chainOf.get(report) ?? { ...report, saidAt: new Map() }, known),
    recheckAt: (row, { report }) => {
      const chain = chainOf.get(report)
      return chain ? importedRecheckAt(row, chain, tx.clock.now()) : null
    },
  })
  await publishAccess(tx, project, planned, people)
  await writePeople(tx, people.values())
  await recordMany(tx, project, planned, cause)
  await insertAnchors(tx, anchorsOf(job, living, people, purchasesOf(planned, chainOf)))
  return {
    subscribersNew: await markSubscribers(tx, subscriberMarks(job.id, people)),
    ...(await markPurchases(tx, purchaseMarks(job.id, planned))),
    skipped: rows.length - living.length + skipped,
    unknownProducts: unknownProducts(living, project),
  }
}

const isWanted = (row: ImportRow, { options }: ImportJobRow): boolean =>
  !(options.skipSandbox && row.isSandbox) && (options.importAnchorless || !isAnchorless(row))

/** The purchase that each row became a part of. */
function purchasesOf(
  planned: readonly PlannedReport[],
  chainOf: ReadonlyMap<PlannedReport['report'], RowChain>,
): ReadonlyMap<ImportRow, string> {
  const purchases = new Map<ImportRow, string>()
  for (const { row, report } of planned)
    if (row) for (const one of chainOf.get(report)?.rows ?? []) purchases.set(one, row.id)
  return purchases
}

function subscriberMarks(jobId: string, people: ReadonlyMap<string, ImportedPerson>): SubscriberMark[] {
  const touched = [...new Set(people.values())].filter(({ isNew, before }) => isNew || before !== null)
  return touched.map(({ row, isNew, before }) => ({ jobId, subscriberId: row.id, isNew, before }))
}

function purchaseMarks(jobId: string, planned: readonly PlannedReport[]): MarkedPurchase[] {
  return planned.flatMap(({ row, held, fresh, report, isChanged }) => {
    const repeats = report.observations.filter((one) => !fresh.includes(one)).map(({ id }) => id)
    if (!row || (!isChanged && repeats.length === 0)) return []
    return [{ jobId, purchaseId: row.id, isNew: held === null, repeats, isChanged }]
  })
}

/** Products that the catalogue does not have. A grant that names its accesses needs none. */
function unknownProducts(rows: readonly ImportRow[], { catalog }: ProjectState): UnknownProduct[] {
  const counts = new Map<string, UnknownProduct>()
  for (const row of rows) {
    const { store, productIdentifier: identifier, entitlements } = row
    const needsNone = identifier === null || (store === 'MANUAL' && (entitlements ?? []).length > 0)
    if (needsNone || productOf(row, catalog)) continue
    const name = `${store}\n${identifier}`
    const known = counts.get(name)
    if (known) known.rows++
    else counts.set(name, { store, identifier, rows: 1 })
  }
  return [...counts.values()]
}

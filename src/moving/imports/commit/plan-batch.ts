import type { Tx } from '../../../base/context'
import { DAY } from '../../../base/lib/clock'
import { type PlannedReport, planMany } from '../../../intake/recording/record-many'
import type { EventCause } from '../../../people/events/model'
import type { PurchaseRow } from '../../../people/purchases/queries'
import { BILLING_RETRY_LIMIT } from '../../../people/purchases/status'
import type { ProjectState } from '../../../projects/project/state'
import type { ImportRow } from '../row'
import { chainsOf, type RowChain } from './chains'
import type { ImportJobRow } from './job-row'
import { type Claim, claimUnowned, lockBatch, toOrders } from './orders'
import { type ImportedPerson, resolvePeople } from './people'
import { isAnchorless, personOf } from './row-identity'
import { newerVersions } from './versions'

/** A batch with everything that is to be written. */
export interface PlannedBatch {
  /** Rows that are wanted, of people who were not erased. */
  rows: ImportRow[]
  people: ReadonlyMap<string, ImportedPerson>
  planned: PlannedReport[]
  chainOf: ReadonlyMap<PlannedReport['report'], RowChain>
  skipped: number
}

/** As `planBatch`, for a batch that is to be written: purchases without an owner go to the people of the file. */
export const planWriting = (
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  rows: readonly ImportRow[],
  cause: EventCause,
): Promise<PlannedBatch> => planBatch(tx, project, job, rows, claimUnowned(tx, project, cause))

/**
 * Reads what is known of the people and purchases of a batch, under their locks, and computes what the rows make of it. Only
 * `claim` may write.
 */
export async function planBatch(
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  rows: readonly ImportRow[],
  claim: Claim,
): Promise<PlannedBatch> {
  const importedAt = job.committedAt ?? tx.clock.now()
  const wanted = rows.filter((row) => isWanted(row, job))
  const { people, living, chains } = await readLocked(tx, project, job, wanted, importedAt)
  const { orders, skipped } = await toOrders(tx, project, chains, people, claim)
  const chainOf = new Map(orders.map((order) => [order.report, order.chain]))
  const planned = await planMany(tx, project, orders, {
    select: ({ report }, known) => newerVersions(chainOf.get(report) ?? { ...report, saidAt: new Map() }, known),
    recheckAt: (row, { report }) => {
      const chain = chainOf.get(report)
      return chain ? importedRecheckAt(row, chain, tx.clock.now()) : null
    },
  })
  return { rows: living, people, planned, chainOf, skipped: rows.length - living.length + skipped }
}

interface ReadBatch {
  people: Map<string, ImportedPerson>
  /** Rows of people who were not erased. */
  living: ImportRow[]
  chains: RowChain[]
}

/** Where transactions run at once, the people are read again under their locks: one may have been erased meanwhile. */
async function readLocked(
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  wanted: readonly ImportRow[],
  importedAt: number,
): Promise<ReadBatch> {
  let batch = await readBatch(tx, project, job, wanted, importedAt)
  for (let isLocked = !tx.needsLocks; !isLocked; ) {
    const locked = idsOf(batch)
    await lockBatch(tx, project.id, batch.chains, batch.people)
    batch = await readBatch(tx, project, job, wanted, importedAt)
    isLocked = idsOf(batch).isSubsetOf(locked)
  }
  return batch
}

/** Of the people who were there before the batch. */
const idsOf = ({ people }: ReadBatch): Set<string> =>
  new Set([...people.values()].flatMap(({ row, isNew }) => (isNew ? [] : [row.id])))

async function readBatch(
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  wanted: readonly ImportRow[],
  importedAt: number,
): Promise<ReadBatch> {
  const people = await resolvePeople(tx, project, wanted, importedAt)
  const living = wanted.filter((row) => people.has(personOf(row)))
  return { people, living, chains: chainsOf(living, project.catalog, job.options, importedAt) }
}

const isWanted = (row: ImportRow, { options }: ImportJobRow): boolean =>
  !(options.skipSandbox && row.isSandbox) && (options.importAnchorless || !isAnchorless(row))

/**
 * When the reconciler asks the store about an imported purchase. Verification asks first, so not before a day has
 * passed. It does not ask about what ended long ago, nor about what the store knows by another id.
 */
function importedRecheckAt(
  { recheckAt, effectiveEnd }: PurchaseRow,
  { isAskable }: RowChain,
  now: number,
): number | null {
  const isLongOver = effectiveEnd !== null && effectiveEnd + BILLING_RETRY_LIMIT < now
  if (recheckAt === null || !isAskable || isLongOver) return null
  return Math.max(recheckAt, now + DAY)
}

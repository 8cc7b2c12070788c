import type { Context, Tx } from '../../base/context'
import { writeOrTry } from '../../base/db/dry-run'
import { describeFailure } from '../../base/jobs/failure'
import type { EventCause } from '../../people/events/model'
import { countFormerKeyed, listFormerKeyed } from '../../people/purchases/join-queries'
import { lockChain } from '../../people/purchases/lock'
import { listObservationsOf } from '../../people/purchases/many-queries'
import { listByOriginal, type PurchaseRow } from '../../people/purchases/queries'
import { listByManyIds } from '../../people/subscribers/many-queries'
import type { ProjectState } from '../../projects/project/state'
import { currentProject, projectIn } from '../relink/current-project'
import { type Joined, joinRows } from './join'
import { planJoins } from './plan'
import { toSaleRow } from './sale-rows'

const PAGE = 200
const STORE = 'IOS_STORE'

export interface RepairOrder {
  projectId: string
  cause: EventCause
  /** Does the same and writes nothing. */
  isDryRun: boolean
  isStopping?: () => boolean
  /** Gets each purchase that several rows became. */
  onJoined?: (joined: Joined) => void
  /** Gets how many of the sales have been looked at. */
  onProgress?: (done: number, total: number) => void
}

export interface RepairReport {
  /** Purchases that several rows became. */
  joined: number
  /** Sales that could not be repaired. The log says why. */
  failed: number
  /** False: it was stopped before the end. What is left still has its key of before. */
  isComplete: boolean
}

/**
 * Joins the rows of a project that are one purchase of the App Store. What is left is read from the rows themselves, so a
 * run that is repeated, or that continues after a stop, finds just that.
 */
export async function repairProject(ctx: Context, order: RepairOrder): Promise<RepairReport> {
  const report: RepairReport = { joined: 0, failed: 0, isComplete: true }
  const total = order.onProgress ? await countFormerKeyed(ctx, order.projectId) : 0
  let done = 0
  for (let after = ''; ; ) {
    const page = await listFormerKeyed(ctx, order.projectId, after, PAGE)
    for (const original of page) {
      if (order.isStopping?.()) return { ...report, isComplete: false }
      await repairOne(ctx, order, report, original)
      after = original
      order.onProgress?.(++done, total)
    }
    if (page.length < PAGE) return report
  }
}

/** One that cannot be repaired does not keep the others from it. */
async function repairOne(ctx: Context, order: RepairOrder, report: RepairReport, original: string): Promise<void> {
  try {
    const project = await currentProject(ctx, order.projectId)
    if (!project) return
    const joined = await writeOrTry(ctx, order.isDryRun, (tx) => repairSale(tx, project, original, order.cause))
    for (const one of joined) order.onJoined?.(one)
    report.joined += joined.length
  } catch (error) {
    report.failed++
    ctx.log.warn('rows of one purchase could not be joined', { original, error: describeFailure(error) })
  }
}

/** Repairs the rows of one original transaction id; returns the purchases that several rows became. */
async function repairSale(tx: Tx, known: ProjectState, original: string, cause: EventCause): Promise<Joined[]> {
  const { id: projectId } = known
  await lockChain(tx, projectId, STORE, original)
  const purchases = await lockOwners(tx, projectId, original)
  const project = await projectIn(tx, known)
  if (!project) return []
  const observations = await listObservationsOf(
    tx,
    purchases.map(({ id }) => id),
  )
  const owners = new Map((await listByManyIds(tx, ownersOf(purchases))).map((owner) => [owner.id, owner]))
  const saleRows = []
  for (const row of purchases)
    saleRows.push(await toSaleRow(tx, project, row, owners.get(row.subscriberId), observations.get(row.id) ?? []))
  const sale = { rows: new Map(purchases.map((row) => [row.id, row])), observations }
  const joined: Joined[] = []
  for (const plan of planJoins(original, saleRows)) joined.push(await joinRows(tx, project, plan, sale, cause))
  return joined.filter(({ merged }) => merged.length > 0)
}

/** Locks the owners of the rows and reads them again: one may have got another owner during the wait. */
async function lockOwners(tx: Tx, projectId: string, original: string): Promise<PurchaseRow[]> {
  const locked = ownersOf(await listByOriginal(tx, projectId, STORE, original))
  for (const id of locked) await tx.lock(`subscriber:${id}`)
  const rows = await listByOriginal(tx, projectId, STORE, original)
  return ownersOf(rows).every((id) => locked.includes(id)) ? rows : lockOwners(tx, projectId, original)
}

const ownersOf = (rows: readonly PurchaseRow[]): string[] =>
  [...new Set(rows.map(({ subscriberId }) => subscriberId))].sort()

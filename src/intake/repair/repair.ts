import type { Context, Tx } from '../../base/context'
import { writeOrTry } from '../../base/db/dry-run'
import { describeFailure } from '../../base/jobs/failure'
import type { EventCause } from '../../people/events/model'
import { countFormerKeyed, listFormerKeyed } from '../../people/purchases/join-queries'
import { lockChain } from '../../people/purchases/lock'
import { listObservationsOf } from '../../people/purchases/many-queries'
import { listByManyIds } from '../../people/subscribers/many-queries'
import type { ProjectState } from '../../projects/project/state'
import { currentProject, projectIn } from '../relink/current-project'
import { listOriginals, readSearched, saveSearched } from './charge-queries'
import { type Joined, joinRows } from './join'
import { joinCharges, STORE } from './join-charges'
import { lockOwners, ownersOf } from './lock-owners'
import { planJoins } from './plan'
import { toSaleRow } from './sale-rows'
import { copiedIn, PAGE } from './search-charges'

export interface RepairOrder {
  projectId: string
  cause: EventCause
  /** Does the same and writes nothing. */
  isDryRun: boolean
  /** Looks at all charges again, although a run has looked at them before. */
  isAll: boolean
  isStopping?: () => boolean
  /** Gets each purchase that several rows became, or of which charges were joined. */
  onJoined?: (joined: Joined) => void
  /** Gets how many of the sales have been looked at. */
  onProgress?: (done: number, total: number) => void
}

export interface RepairReport {
  /** Purchases that several rows became, or of which charges were joined. */
  joined: number
  /** Sales that could not be repaired. The log says why. */
  failed: number
  /** False: it was stopped before the end. What is left still has its key of before. */
  isComplete: boolean
}

/** Joins the rows of a project that are one purchase of the App Store, and the charges of a purchase that are one. */
export async function repairProject(ctx: Context, order: RepairOrder): Promise<RepairReport> {
  const rows = await repairRows(ctx, order)
  const charges = rows.isComplete ? await repairCharges(ctx, order) : { joined: 0, failed: 0, isComplete: false }
  return {
    joined: rows.joined + charges.joined,
    failed: rows.failed + charges.failed,
    isComplete: charges.isComplete,
  }
}

/** What is left is read from the rows themselves, so a run that is repeated, or that continues after a stop, finds just that. */
async function repairRows(ctx: Context, order: RepairOrder): Promise<RepairReport> {
  const report: RepairReport = { joined: 0, failed: 0, isComplete: true }
  const total = order.onProgress ? await countFormerKeyed(ctx, order.projectId) : 0
  let done = 0
  for (let after = ''; ; ) {
    const page = await listFormerKeyed(ctx, order.projectId, after, PAGE)
    for (const original of page) {
      if (order.isStopping?.()) return { ...report, isComplete: false }
      await repairOne(ctx, order, report, original, repairSale)
      after = original
      order.onProgress?.(++done, total)
    }
    if (page.length < PAGE) return report
  }
}

/**
 * Each page is read without a lock and judged by what is recorded; only what is to be joined is then locked and read again.
 * How far it came is saved, so the run of a server looks at each purchase once.
 */
async function repairCharges(ctx: Context, order: RepairOrder): Promise<RepairReport> {
  const report: RepairReport = { joined: 0, failed: 0, isComplete: true }
  const { projectId, isAll } = order
  const searched = await readSearched(ctx, projectId)
  if (searched.isDone && !isAll) return report
  for (let after = isAll ? '' : searched.upTo; ; ) {
    const page = await listOriginals(ctx, projectId, after, PAGE)
    for (const original of await copiedIn(ctx, projectId, page)) {
      if (order.isStopping?.()) return { ...report, isComplete: false }
      await repairOne(ctx, order, report, original, joinCharges)
    }
    after = page.at(-1) ?? after
    const isDone = page.length < PAGE
    // What failed is looked at again by the next run.
    if (!order.isDryRun && report.failed === 0)
      await ctx.write((tx) => saveSearched(tx, { projectId, upTo: after, isDone }))
    if (isDone) return report
  }
}

type Repair = (tx: Tx, project: ProjectState, original: string, cause: EventCause) => Promise<Joined[]>

/** One that cannot be repaired does not keep the others from it. */
async function repairOne(
  ctx: Context,
  order: RepairOrder,
  report: RepairReport,
  original: string,
  repair: Repair,
): Promise<void> {
  try {
    const project = await currentProject(ctx, order.projectId)
    if (!project) return
    const joined = await writeOrTry(ctx, order.isDryRun, (tx) => repair(tx, project, original, order.cause))
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

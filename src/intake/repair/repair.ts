import type { Context, Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { countFormerKeyed, listFormerKeyed } from '../../people/purchases/join-queries'
import { listObservationsOf } from '../../people/purchases/many-queries'
import { listByManyIds } from '../../people/subscribers/many-queries'
import type { ProjectState } from '../../projects/project/state'
import { projectIn } from '../relink/current-project'
import { type Joined, joinRows } from './join'
import { lockSale, ownersOf } from './lock-owners'
import { planJoins } from './plan'
import { repairCharges } from './repair-charges'
import { type RepairOrder, type RepairReport, repairOne } from './repair-one'
import { toSaleRow } from './sale-rows'
import { PAGE } from './search-charges'

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

/** The rest is read from the rows themselves, so a repeated or continued run finds just that. */
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

/** Repairs the rows of one original transaction id; returns the purchases that several rows became. */
async function repairSale(tx: Tx, known: ProjectState, original: string, cause: EventCause): Promise<Joined[]> {
  const { id: projectId } = known
  const purchases = await lockSale(tx, projectId, original)
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

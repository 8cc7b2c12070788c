import type { Context } from '../../base/context'
import { listOriginals, readSearched, saveSearched } from './charge-queries'
import { joinCharges } from './join-charges'
import { type RepairOrder, type RepairReport, repairOne } from './repair-one'
import { copiedIn, PAGE } from './search-charges'

/**
 * Each page is read without a lock and judged by what is recorded; only what is to be joined is then locked and read again.
 * How far it came is saved, so the run of a server looks at each purchase once.
 */
export async function repairCharges(ctx: Context, order: RepairOrder): Promise<RepairReport> {
  const report: RepairReport = { joined: 0, failed: 0, isComplete: true }
  const { projectId, isAll } = order
  const searched = await readSearched(ctx, projectId)
  if (searched.isDone && !isAll) return report
  for (let after = isAll ? '' : searched.upTo; ; ) {
    if (order.isStopping?.()) return { ...report, isComplete: false }
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

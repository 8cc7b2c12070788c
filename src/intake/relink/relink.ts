import type { Context, Tx } from '../../base/context'
import { describeFailure } from '../../base/jobs/failure'
import type { EventCause } from '../../people/events/model'
import { type Awaited, listUnnamed, listWaiting } from '../../people/purchases/waiting-queries'
import type { ProjectState } from '../../projects/project/state'
import { countAll, listLinkable } from './awaited'
import { currentProject } from './current-project'
import { linkPurchase } from './link-purchase'
import { AWAITED_STORES } from './spans'

const PAGE = 200
declare module '../../base/state' {
  interface SliceHooks {
    /**
     * Makes an unlisted sale a purchase, with all lines of its chain, when the catalogue has a product of it now. Returns
     * whether it did; false when the id is of no unlisted sale.
     */
    linkSale: (tx: Tx, project: ProjectState, saleId: string, cause: EventCause) => Promise<boolean>
  }
}

/** Purchases linked at a time: their writes share a commit on SQLite, and leave connections free on Postgres. */
const AT_ONCE = 8

export interface RelinkOrder {
  projectId: string
  /** Only what waits for a store id of these products; null = everything that waits. */
  productIds: readonly string[] | null
  /** Also links the rows of before the column that names their store product. It is so for every product. */
  findsUnnamed?: boolean
  cause: EventCause
  isStopping?: () => boolean
  onProgress?: (done: number, total: number) => void
}

export interface RelinkReport {
  linked: number
  /** Purchases that could not be linked. The log says why. */
  failed: number
  /** False: it was stopped before the end. What is left still waits. */
  isComplete: boolean
}

/**
 * Links the purchases of a project that were recorded before their product was in the catalogue. What waits is read from
 * the purchases themselves, so a run that is repeated, or that continues after a stop, finds just what is left.
 */
export async function relinkProject(ctx: Context, order: RelinkOrder): Promise<RelinkReport> {
  const report = { linked: 0, failed: 0, isComplete: true }
  const project = await currentProject(ctx, order.projectId)
  if (!project) return report
  const { isStopping = () => false } = order
  const run: Run = { ctx, order, report, isStopping, total: 0, done: 0 }
  if (order.findsUnnamed ?? order.productIds === null) await nameUnnamed(run, project)
  const awaited = await listLinkable(ctx, project.id, project.catalog, order.productIds)
  run.total = await countAll(ctx, project.id, awaited)
  for (const one of awaited) await linkAwaited(run, one)
  return report
}

interface Run {
  ctx: Context
  order: RelinkOrder
  report: RelinkReport
  isStopping: () => boolean
  total: number
  done: number
}

const KINDS = ['PURCHASE', 'SALE', 'LINE'] as const

type Kind = (typeof KINDS)[number]

async function linkAwaited(run: Run, awaited: Awaited): Promise<void> {
  const { ctx, order } = run
  for (const kind of KINDS)
    await linkPages(run, (after) => listWaiting(ctx, kind, order.projectId, awaited, after, PAGE), kind)
}

/** Rows of before the column that names their store product get it, and with it their product. */
async function nameUnnamed(run: Run, { id }: ProjectState): Promise<void> {
  for (const store of AWAITED_STORES)
    for (const kind of KINDS) await linkPages(run, (after) => listUnnamed(run.ctx, kind, id, store, after, PAGE), kind)
}

async function linkPages(run: Run, read: (after: string) => Promise<string[]>, kind: Kind): Promise<void> {
  for (let after = ''; ; ) {
    if (run.isStopping()) run.report.isComplete = false
    const page = run.report.isComplete ? await read(after) : []
    const last = page.at(-1)
    if (last === undefined) return
    await linkPage(run, page, kind)
    after = last
  }
}

async function linkPage(run: Run, ids: readonly string[], kind: Kind): Promise<void> {
  const { ctx, order } = run
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const project = await currentProject(ctx, order.projectId)
    if (!project) return
    const some = ids.slice(start, start + AT_ONCE)
    await Promise.all(some.map((id) => linkOne(run, project, id)))
    if (kind !== 'LINE') run.done += some.length
    order.onProgress?.(Math.min(run.done, run.total), run.total)
  }
}

async function linkAny(tx: Tx, project: ProjectState, id: string, cause: EventCause): Promise<boolean> {
  if (await linkPurchase(tx, project, id, cause)) return true
  for (const linkSale of tx.hooks.linkSale ?? []) if (await linkSale(tx, project, id, cause)) return true
  return false
}

/** One that cannot be linked does not keep the others from it. */
async function linkOne({ ctx, order, report }: Run, project: ProjectState, id: string): Promise<void> {
  try {
    const isLinked = await ctx.write((tx) => linkAny(tx, project, id, order.cause))
    if (isLinked) report.linked++
  } catch (error) {
    report.failed++
    ctx.log.warn('a purchase could not get its product', { purchaseId: id, error: describeFailure(error) })
  }
}

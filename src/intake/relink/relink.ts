import type { Context, Tx } from '../../base/context'
import { describeFailure } from '../../base/jobs/failure'
import { Pace } from '../../base/jobs/pace'
import type { EventCause } from '../../people/events/model'
import { type Awaited, listUnnamed, listWaiting } from '../../people/purchases/waiting-queries'
import type { ProjectState } from '../../projects/project/state'
import { countAll, listLinkable } from './awaited'
import { currentProject } from './current-project'
import { linkPurchases } from './link-purchases'
import { AWAITED_STORES } from './spans'

const PAGE = 200
/** Purchases in one transaction, by the time that it takes. */
const BATCHES = { wantedMs: 25, first: 16, min: 16, max: 64 }
/**
 * A server rests for its callers as long as the batch worked, and no longer than this. It never depends on the load,
 * which is also that of a rebuild of figures.
 */
const MAX_REST_MS = 50

/**
 * So many are linked within ten seconds of an edit, also beside callers who keep the writer of a database file busy
 * (purchases 8). Each batch waits for its turn among them, so these come in the largest ones, without a rest.
 */
const PROMISED = 1000

declare module '../../base/state' {
  interface SliceHooks {
    /**
     * Makes an unlisted sale a purchase, with all lines of its chain, when the catalogue has a product of it now.
     * Returns whether it did; false when the id is of no unlisted sale.
     */
    linkSale: (tx: Tx, project: ProjectState, saleId: string, cause: EventCause) => Promise<boolean>
  }
}

export interface RelinkOrder {
  projectId: string
  /** Only what waits for a store id of these products; null = everything that waits. */
  productIds: readonly string[] | null
  /** Also links the rows of before the column that names their store product. It is so for every product. */
  findsUnnamed?: boolean
  cause: EventCause
  /** Waits after each batch, so that a server has time for its callers. */
  isGentle?: boolean
  isStopping?: () => boolean
  onProgress?: (done: number, total: number) => void
}

export interface RelinkReport {
  linked: number
  /** Purchases that could not be linked. The log has the reasons. */
  failed: number
  /** False: it was stopped before the end. The rest still waits. */
  isComplete: boolean
}

/**
 * Links the purchases of a project that were recorded before their product was in the catalogue. What waits is read
 * from the purchases themselves, so a run that is repeated, or that continues after a stop, finds just what is left.
 */
export async function relinkProject(ctx: Context, order: RelinkOrder): Promise<RelinkReport> {
  const report = { linked: 0, failed: 0, isComplete: true }
  const project = await currentProject(ctx, order.projectId)
  if (!project) return report
  const { isStopping = () => false } = order
  const run: Run = { ctx, order, report, isStopping, pace: new Pace(BATCHES), total: 0, done: 0 }
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
  pace: Pace
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

/** Purchases are linked in batches, each in one transaction. */
async function linkPage(run: Run, ids: readonly string[], kind: Kind): Promise<void> {
  for (let start = 0; start < ids.length; ) {
    const isPromised = run.done < PROMISED
    const records = isPromised ? BATCHES.max : run.pace.records
    const some = ids.slice(start, start + (kind === 'SALE' ? saleBatch(run.ctx, records) : records))
    start += some.length
    const project = await currentProject(run.ctx, run.order.projectId)
    if (!project) return
    await linkBatch(run, project, some, kind)
    if (kind !== 'LINE') run.done += some.length
    run.order.onProgress?.(Math.min(run.done, run.total), run.total)
    if (run.order.isGentle && !isPromised) await Bun.sleep(Math.min(run.pace.workedMs, MAX_REST_MS))
  }
}

/** One that cannot be linked does not keep the others from it: the purchases of a batch that failed are tried alone. */
async function linkBatch(run: Run, project: ProjectState, ids: readonly string[], kind: Kind): Promise<void> {
  const { ctx, order, report, pace } = run
  const link = kind === 'SALE' ? linkSales : linkPurchases
  try {
    report.linked += await ctx.write((tx) => pace.timed(ids.length, () => link(tx, project, ids, order.cause)))
  } catch (error) {
    if (ids.length > 1) for (const id of ids) await linkBatch(run, project, [id], kind)
    else reportFailed(run, ids, error)
  }
}

/**
 * Each is of a chain and of a buyer whose locks are taken one after the other, so with locks it has its own
 * transaction.
 */
const saleBatch = ({ storage }: Context, records: number): number => (storage.driver === 'postgres' ? 1 : records)

async function linkSales(tx: Tx, project: ProjectState, ids: readonly string[], cause: EventCause): Promise<number> {
  let linked = 0
  for (const id of ids)
    for (const linkSale of tx.hooks.linkSale ?? []) if (await linkSale(tx, project, id, cause)) linked++
  return linked
}

function reportFailed({ ctx, report }: Run, ids: readonly string[], error: unknown): void {
  report.failed += ids.length
  ctx.log.warn('a purchase could not get its product', { purchaseId: ids[0], error: describeFailure(error) })
}

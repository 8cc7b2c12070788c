import { and, asc, eq, isNotNull, isNull, ne, notLike, or } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import { inParallel } from '../../base/lib/parallel'
import { lockPurchaseOf } from '../../people/purchases/lock'
import { listRecordedAfter, type PurchaseRow } from '../../people/purchases/records'
import { countsUnlisted } from '../../people/purchases/unlisted-sales'
import type { ProjectState } from '../../projects/project/state'
import { rebuildEntries } from './rebuild'
import { removeUnknownGroups } from './unknown-groups'

/** Purchases after which it is saved how far the work is. */
const BATCH = 64

/** Purchases at the same time. */
const WIDTH = 4

/**
 * Computes the entries again of projects whose settings for them have changed: periods of products, commission rates, and
 * whether unlisted sales count.
 * A project whose figures were never kept is gone through once, so that an earlier release's purchases count too. Saves
 * with each batch how far it is, so a stop loses nothing.
 */
export async function rebuildProjects(ctx: Context, isStopping: () => boolean): Promise<void> {
  await compareProjects(ctx)
  for (;;) {
    const next = isStopping() ? null : await findUnfinished(ctx)
    if (!next) return
    await rebuildBatch(ctx, next)
  }
}

/** What became of the projects whose configuration had changed. */
interface Compared {
  /** Entries of some are to be computed again. */
  isUnfinished: boolean
  /** Their newest configuration was looked at. */
  isSettled: boolean
}

/** Looks at the projects whose configuration has changed. */
export async function compareProjects(ctx: Context): Promise<Compared> {
  const changed = await listChanged(ctx)
  for (const projectId of changed) await compareSettings(ctx, projectId)
  const isSettled = changed.length === 0 || (await listChanged(ctx)).length === 0
  return { isUnfinished: (await findUnfinished(ctx)) !== null, isSettled }
}

/**
 * The version of what entries contain. A release that changes the content increases it, and older entries are computed
 * again. Since 2 they name only groups that the project has, and all subscriptions of Google have one commission. Since 3
 * recurring revenue uses the price of the next period at the App Store, and the exchange rate of the day on which that
 * price began. Since 4 countries are those of ISO 3166-1, and platforms the three known ones.
 */
const VERSION = 4

/** Projects whose configuration is newer than the one that was looked at, or whose entries an earlier release made. */
async function listChanged({ db, tables: { projects: p, figureProjects: f } }: Context): Promise<string[]> {
  const isOfEarlierRelease = notLike(f.fingerprint, `${VERSION}:%`)
  const rows = await db
    .select({ id: p.id })
    .from(p)
    .leftJoin(f, eq(f.projectId, p.id))
    .where(and(isNull(p.deletedAt), or(isNull(f.projectId), ne(f.configVersion, p.configVersion), isOfEarlierRelease)))
  return rows.map(({ id }) => id)
}

async function compareSettings(ctx: Context, projectId: string): Promise<void> {
  const project = await ctx.state.projects.find(projectId)
  if (!project) return
  const { configVersion } = project
  const fingerprint = fingerprintOf(project)
  const isOfThisRelease = (await findFingerprint(ctx, projectId))?.startsWith(`${VERSION}:`) ?? false
  if (!isOfThisRelease) await removeUnknownGroups(ctx, project)
  await ctx.write(async (tx) => {
    const { figureProjects: f } = tx.tables
    await tx.lock(`figures:${projectId}`)
    const [row] = await tx.db.select().from(f).where(eq(f.projectId, projectId))
    const isSame = row?.fingerprint === fingerprint
    if (!row) await tx.db.insert(f).values({ projectId, configVersion, fingerprint, doneUntil: '' })
    else
      await tx.db
        .update(f)
        .set({ configVersion, fingerprint, ...(!isSame && { doneUntil: '' }) })
        .where(eq(f.projectId, projectId))
  })
}

async function findFingerprint(
  { db, tables: { figureProjects: f } }: Context,
  projectId: string,
): Promise<string | undefined> {
  const [row] = await db.select({ fingerprint: f.fingerprint }).from(f).where(eq(f.projectId, projectId))
  return row?.fingerprint
}

/** Of everything in the configuration that entries depend on. */
const fingerprintOf = (project: ProjectState): string => `${VERSION}:${settingsOf(project)}`

const settingsOf = (project: ProjectState): string => {
  const { catalog, commission } = project
  return sha256Hex(
    JSON.stringify([
      [...catalog.products.values()]
        .map(({ id, identifier, period, iosId, androidId, paymentId }) => [
          ...[id, identifier, period, iosId, androidId, paymentId],
        ])
        .toSorted(),
      Object.entries(commission).toSorted(),
      // Without the default, so that the fingerprints of an earlier release hold.
      ...(countsUnlisted(project) ? ['unlisted sales'] : []),
    ]),
  )
}

interface Unfinished {
  projectId: string
  doneUntil: string
}

async function findUnfinished({ db, tables: { figureProjects: f } }: Context): Promise<Unfinished | null> {
  const [row] = await db.select().from(f).where(isNotNull(f.doneUntil)).orderBy(asc(f.projectId)).limit(1)
  return row?.doneUntil == null ? null : { projectId: row.projectId, doneUntil: row.doneUntil }
}

async function rebuildBatch(ctx: Context, { projectId, doneUntil }: Unfinished): Promise<void> {
  const project = await ctx.state.projects.find(projectId)
  const batch = project ? await listRecordedAfter(ctx, projectId, doneUntil, BATCH) : []
  // A transaction for each, because a receipt may hold the lock of one of them and wait for another. A local file syncs
  // those that wait together once.
  await inParallel(batch, WIDTH, async (one) => {
    if (project) await ctx.write((tx) => rebuildOne(tx, project, one))
  })
  await ctx.write(async (tx) => {
    const { figureProjects: f } = tx.tables
    await tx.db
      .update(f)
      .set({ doneUntil: batch.at(-1)?.id ?? null })
      .where(and(eq(f.projectId, projectId), eq(f.doneUntil, doneUntil)))
  })
}

async function rebuildOne(tx: Tx, project: ProjectState, purchase: PurchaseRow): Promise<void> {
  await lockPurchaseOf(tx, purchase)
  await rebuildEntries(tx, project, purchase.id)
}

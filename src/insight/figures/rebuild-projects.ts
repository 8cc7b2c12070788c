import { and, asc, eq, isNotNull, isNull, ne, notLike, or } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import { inParallel } from '../../base/lib/parallel'
import { lockPurchaseOf } from '../../people/purchases/lock'
import { listRecordedAfter, type PurchaseRow } from '../../people/purchases/records'
import { isSame } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import { type Concerned, findConcerned } from './concerned'
import { rebuildEntries } from './rebuild'
import { changedNames, type FigureSettings, haveSameRules, settingsOf } from './settings'
import { removeUnknownGroups } from './unknown-groups'

/** Purchases after which it is saved how far the work is. */
const BATCH = 64

/** Purchases at the same time. */
const WIDTH = 4

/**
 * Computes the entries again of projects whose settings for them have changed. Commission rates, and whether unlisted sales
 * count, concern all purchases; an edit of products concerns those with entries about one whose period is another one now.
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
 * price started. Since 4 countries are those of ISO 3166-1, and platforms the three known ones.
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
  const isOfThisRelease = (await findFingerprint(ctx, projectId))?.startsWith(`${VERSION}:`) ?? false
  if (!isOfThisRelease) await removeUnknownGroups(ctx, project)
  const { configVersion } = project
  const settings = settingsOf(project)
  const row = { configVersion, fingerprint: fingerprintOf(settings), settings }
  await ctx.write(async (tx) => {
    const { figureProjects: f } = tx.tables
    await tx.lock(`figures:${projectId}`)
    const [held] = await tx.db.select().from(f).where(eq(f.projectId, projectId))
    if (!held) await tx.db.insert(f).values({ ...row, projectId, ...EVERYTHING })
    else
      await tx.db
        .update(f)
        .set({ ...row, ...whatIsLeft(held, row) })
        .where(eq(f.projectId, projectId))
  })
}

type FigureProject = Context['tables']['figureProjects']['$inferSelect']

type Left = Pick<FigureProject, 'doneUntil' | 'bases'>

const EVERYTHING: Left = { doneUntil: '', bases: null }

/** More settings than this are rarely between two runs. */
const MAX_BASES = 8

/** Which purchases are to be computed again by new settings, also after a run that has not ended. */
function whatIsLeft(held: FigureProject, now: { fingerprint: string; settings: FigureSettings }): Partial<Left> {
  const { settings, doneUntil, bases } = held
  if (settings === null || !haveSameRules(settings, now.settings) || !held.fingerprint.startsWith(`${VERSION}:`))
    return held.fingerprint === now.fingerprint ? {} : EVERYTHING
  if (isSame(settings.products, now.settings.products)) return {}
  const isRunning = doneUntil !== null
  if (isRunning && (bases === null || bases.length === MAX_BASES)) return EVERYTHING
  return { doneUntil: '', bases: [...(isRunning ? (bases ?? []) : []), settings] }
}

async function findFingerprint(
  { db, tables: { figureProjects: f } }: Context,
  projectId: string,
): Promise<string | undefined> {
  const [row] = await db.select({ fingerprint: f.fingerprint }).from(f).where(eq(f.projectId, projectId))
  return row?.fingerprint
}

/** Of the settings. It decides about rows of before the column that has them, so it is made as it was then. */
const fingerprintOf = ({ products, commission, countsUnlisted }: FigureSettings): string => {
  const parts = [
    products
      .map(({ id, identifier, period, iosId, androidId, paymentId }) => [
        ...[id, identifier, period, iosId, androidId, paymentId],
      ])
      .toSorted(),
    Object.entries(commission).toSorted(),
    ...(countsUnlisted ? ['unlisted sales'] : []),
  ]
  return `${VERSION}:${sha256Hex(JSON.stringify(parts))}`
}

async function findUnfinished({ db, tables: { figureProjects: f } }: Context): Promise<FigureProject | null> {
  const [row] = await db.select().from(f).where(isNotNull(f.doneUntil)).orderBy(asc(f.projectId)).limit(1)
  return row ?? null
}

async function rebuildBatch(ctx: Context, left: FigureProject): Promise<void> {
  const { projectId, doneUntil } = left
  const project = await projectOf(ctx, left)
  const { rows, until } = project ? await listNext(ctx, project, left) : { rows: [], until: null }
  // A transaction for each, because a receipt may hold the lock of one of them and wait for another. A local file syncs
  // those that wait together once.
  await inParallel(rows, WIDTH, async (one) => {
    if (project) await ctx.write((tx) => rebuildOne(tx, project, one))
  })
  await ctx.write(async (tx) => {
    const { figureProjects: f } = tx.tables
    // Settings that changed meanwhile start it again.
    const isSeen = and(eq(f.projectId, projectId), eq(f.configVersion, left.configVersion))
    await tx.db
      .update(f)
      .set({ doneUntil: until })
      .where(and(isSeen, eq(f.doneUntil, doneUntil ?? '')))
  })
}

/** The project with the settings that were compared: another process may have changed and compared them a moment ago. */
async function projectOf(ctx: Context, { projectId, configVersion }: FigureProject): Promise<ProjectState | null> {
  const known = await ctx.state.projects.find(projectId)
  if (!known || known.configVersion >= configVersion) return known
  ctx.state.projects.forget(projectId)
  return ctx.state.projects.find(projectId)
}

async function listNext(ctx: Context, project: ProjectState, { doneUntil, bases }: FigureProject): Promise<Concerned> {
  const after = doneUntil ?? ''
  if (bases) return findConcerned(ctx, project.id, after, BATCH, changedNames(bases, settingsOf(project)))
  const rows = await listRecordedAfter(ctx, project.id, after, BATCH)
  return { rows, until: rows.at(-1)?.id ?? null }
}

async function rebuildOne(tx: Tx, project: ProjectState, purchase: PurchaseRow): Promise<void> {
  await lockPurchaseOf(tx, purchase)
  await rebuildEntries(tx, project, purchase.id)
}

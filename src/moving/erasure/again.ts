import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { Config } from '../../base/config'
import type { Context } from '../../base/context'
import { type ErasedKeyRow, insertErasedKeys, type PersonKey } from '../../people/subscribers/erased-keys'
import { detachedKey, isDetached } from '../../people/subscribers/first-key'
import {
  insertSubscriber,
  newSubscriber,
  resolveRow,
  type SubscriberRow,
  unlessUnresolvable,
} from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { cleanUp } from './erase'
import { type ErasedLine, ErasedList } from './erased-list'
import { type Erased, eraseRows } from './rows'

/** The list of a deployment whose database is not open. It can be read and added to, but no key can be hashed. */
export const erasedList = ({ dataDir }: Pick<Config, 'dataDir'>): ErasedList =>
  new ErasedList(dataDir, () => {
    throw new Error('the master key is not open')
  })

/** Erases everybody again whom a restored backup has brought back, also from the files. Returns how many. */
export async function eraseAgain(ctx: Context): Promise<number> {
  const known = await eraseKnown(ctx)
  for (const { project, erased } of known) await cleanUp(ctx, project, erased)
  await cleanUpOthers(ctx)
  return known.length
}

interface Known {
  project: ProjectState
  erased: Erased
}

/**
 * Compares the list with the database. Who is in the list only is erased in the database, before anybody can be answered
 * from it; who is in the database only is added to the list, because another process may have erased them elsewhere.
 */
export async function eraseKnown(ctx: Context): Promise<Known[]> {
  if (!ctx.vault) return []
  const stored = await listStored(ctx)
  ctx.state.erasedList.append(stored)
  const names = new Set(stored.map(nameOf))
  const lines = ctx.state.erasedList
    .readOwn()
    .filter((line) => !names.has(nameOf({ ...line, projectId: line.project })))
  const known: Known[] = []
  for (const [projectId, missing] of Map.groupBy(lines, ({ project }) => project)) {
    const project = await ctx.state.projects.find(projectId)
    if (project) known.push(...(await eraseOfProject(ctx, project, missing)))
  }
  return known
}

const nameOf = ({ projectId, kind, hash }: Pick<ErasedKeyRow, 'projectId' | 'kind' | 'hash'>): string =>
  `${projectId} ${kind} ${hash}`

async function listStored({ db, tables }: Context): Promise<ErasedKeyRow[]> {
  return db.select().from(tables.erasedKeys)
}

async function eraseOfProject(ctx: Context, project: ProjectState, missing: readonly ErasedLine[]): Promise<Known[]> {
  const owners = await findOwners(ctx, project.id, missing)
  const known: Known[] = []
  for (const [person, lines] of Map.groupBy(missing, (line) => line.person)) {
    const ids = [...new Set(lines.flatMap((line) => owners.get(line.hash) ?? []))]
    const answering = ids[0] ?? (await insertErased(ctx, project.id, person, lines))
    for (const id of ids) {
      const erased = await eraseRows(ctx, project, { id, subscriberId: id }, async (keys) =>
        ctx.state.erasedList.append(keys),
      )
      if (erased) known.push({ project, erased })
    }
    await ctx.write((tx) =>
      insertErasedKeys(
        tx,
        lines.map((line) => toRow(line, answering)),
      ),
    )
  }
  return known
}

const toRow = ({ project, kind, hash, at }: ErasedLine, subscriberId: string): ErasedKeyRow => ({
  ...{ projectId: project, kind, hash, subscriberId, erasedAt: at },
})

const PAGE = 1000

/** By hash, the live rows whose keys are in the list: the row at the end of their merge chain. */
async function findOwners(ctx: Context, projectId: string, lines: readonly ErasedLine[]): Promise<Map<string, string>> {
  const wanted = new Set(lines.map(({ hash }) => hash))
  const owners = new Map<string, string>()
  for (let after = ''; ; ) {
    const rows = await listAfter(ctx, projectId, after)
    for (const row of rows)
      for (const key of keysOfRow(row)) {
        const hash = ctx.state.erasedKeys.hash(projectId, key)
        if (wanted.has(hash)) owners.set(hash, ((await resolveRow(ctx, row).catch(unlessUnresolvable)) ?? row).id)
      }
    after = rows.at(-1)?.id ?? after
    if (rows.length < PAGE) return owners
  }
}

function listAfter({ db, tables: { subscribers: s } }: Context, projectId: string, after: string) {
  const isNext = and(eq(s.projectId, projectId), gt(s.id, after))
  return db.select().from(s).where(isNext).orderBy(asc(s.id)).limit(PAGE)
}

function keysOfRow(row: SubscriberRow): PersonKey[] {
  const keys: PersonKey[] = [{ kind: 'SUBSCRIBER', value: row.id }]
  if (!isDetached(row)) keys.push({ kind: 'DEVICE', value: row.deviceKey })
  if (row.appUserId !== null) keys.push({ kind: 'LABEL', value: row.appUserId })
  return keys
}

/** For a person whom the restored backup does not know: a row that answers for their keys. Returns its id. */
async function insertErased(ctx: Context, projectId: string, person: string, lines: readonly ErasedLine[]) {
  const stored = await ctx.db
    .select({ id: ctx.tables.erasedKeys.subscriberId })
    .from(ctx.tables.erasedKeys)
    .where(and(eq(ctx.tables.erasedKeys.projectId, projectId), eq(ctx.tables.erasedKeys.hash, person)))
  if (stored[0]) return stored[0].id
  const made = newSubscriber(ctx, projectId, '', null)
  const erasedAt = Math.min(...lines.map(({ at }) => at))
  const row = { ...made, deviceKey: detachedKey(made.id, ''), isSynthetic: true, erasedAt }
  await ctx.write((tx) => insertSubscriber(tx, row))
  return row.id
}

/** Erasures without a request that were interrupted after the rows were erased. Requests are repeated by their job. */
async function cleanUpOthers(ctx: Context): Promise<void> {
  const { erasures: e } = ctx.tables
  const open = await ctx.db.select().from(e).where(isNull(e.cleanedAt))
  for (const row of open.filter(({ id }) => id.startsWith('sub_'))) {
    const project = await ctx.state.projects.find(row.projectId)
    if (project)
      await cleanUp(ctx, project, { row, texts: { ids: [row.subscriberId], chosen: [] }, ids: [row.subscriberId] })
  }
}

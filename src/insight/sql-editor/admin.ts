import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import type { AuditEntry } from '../../projects/audit/audit'
import { listRevisionsWith, requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { conflict, editProject, given, isSame, type ProjectActor } from '../../projects/project/edit'
import { MAX_SAVED } from './model'
import {
  countQueries,
  deleteQuery,
  findQuery,
  insertQuery,
  pageQueries,
  type SavedQueryRow,
  updateQuery,
} from './queries'

export interface SavedQueryInput {
  name: string
  /** It is not checked before it runs: a draft can be saved too. */
  sql: string
}

/** The newest first. */
export async function listSavedQueries(ctx: Context, projectId: string, page: Page): Promise<Paged<SavedQueryView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'qry')
  const { items, hasMore } = await paged(page, (limit) => pageQueries(ctx, projectId, { ...page, limit }))
  return { items: items.map((row) => toView(row, revisions.get(row.id) ?? 1)), hasMore }
}

/** 409 `CONFLICT` for more than 200. */
export const createSavedQuery = (ctx: Context, by: ProjectActor, { name, sql }: SavedQueryInput) =>
  editProject(ctx, by, async (edit) => {
    const { tx, projectId, now, entries } = edit
    if ((await countQueries(tx, projectId)) >= MAX_SAVED)
      throw conflict(`A project has at most ${MAX_SAVED} saved queries; delete one first`)
    const row = { id: tx.ids.next('qry'), projectId, name, sql, createdAt: now, updatedAt: now }
    await insertQuery(tx, row)
    entries.push(entry('create', null, row))
    return toView(row, await revisionAfter(edit, row.id))
  })

/** Members that are left out stay. */
export const updateSavedQuery = (ctx: Context, by: ProjectActor, id: string, change: Partial<SavedQueryInput>) =>
  editProject(ctx, by, async (edit) => {
    const { tx, projectId, now, entries } = edit
    const before = await findQuery(tx, projectId, id)
    if (!before) throw notFound('saved query', id)
    await requireRevision(tx, projectId, id, by.expected ?? null)
    const content = given(change)
    if (isSame({ ...before, ...content }, before)) return toView(before, await revisionAfter(edit, id))
    const after = { ...before, ...content, updatedAt: now }
    await updateQuery(tx, id, { ...content, updatedAt: now })
    entries.push(entry('update', before, after))
    return toView(after, await revisionAfter(edit, id))
  })

export const deleteSavedQuery = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async ({ tx, projectId, entries }) => {
    const row = await findQuery(tx, projectId, id)
    if (!row) throw notFound('saved query', id)
    await requireRevision(tx, projectId, id, by.expected ?? null)
    await deleteQuery(tx, id)
    entries.push(entry('delete', row, null))
  })

export type SavedQueryView = ReturnType<typeof toView>

const toView = ({ id, name, sql, createdAt, updatedAt }: SavedQueryRow, revision: number) => ({
  id,
  name,
  sql,
  revision,
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
})

const entry = (verb: string, before: SavedQueryRow | null, after: SavedQueryRow | null): AuditEntry => ({
  action: `query.${verb}`,
  target: { type: 'query', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

const imageOf = ({ name, sql }: SavedQueryRow) => ({ name, sql })

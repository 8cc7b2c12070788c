import type { Context } from '../../../base/context'
import type { Page, Paged } from '../../../base/db/page'
import { notFound } from '../../../base/errors'
import { pageOf } from '../../../base/http/id-list'
import { toIso } from '../../../base/lib/time'
import { listRevisionsWith } from '../../audit/revisions'
import { given, isSame, type ProjectActor, refuseFaults } from '../../project/edit'
import { ACCESS } from '../project-file/access/model'
import { writeCatalogPart } from '../project-file/write'
import { type AccessRow, loadCatalog, type StoredCatalog } from '../queries'
import { checkMembers, MOST } from '../rules'
import type { Access } from '../snapshot'
import {
  type CatalogEdit,
  editCatalog,
  refuseOverfull,
  refuseTaken,
  requireObject,
  revised,
  stamped,
  withoutStamps,
} from './edit-catalog'
import { accessImage, entryOf } from './images'
import { refuseUsed } from './users'

export interface AccessInput {
  identifier: string
  displayName: string
  description?: string | null
  metadata?: Record<string, unknown>
}

const toView = (row: AccessRow, { products }: StoredCatalog) => ({
  id: row.id,
  identifier: row.identifier,
  displayName: row.displayName,
  description: row.description,
  metadata: row.metadata,
  /** How many products give it, inactive ones included. */
  productCount: products.filter(({ accessIds }) => accessIds.includes(row.id)).length,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type AccessView = ReturnType<typeof toView> & { revision: number }

/** The newest first. */
export async function listAccess(ctx: Context, projectId: string, page: Page): Promise<Paged<AccessView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'acc')
  const rows = await loadCatalog(ctx, projectId)
  const { items, hasMore } = pageOf(rows.access, page)
  return { items: items.map((row) => ({ ...toView(row, rows), revision: revisions.get(row.id) ?? 1 })), hasMore }
}

export async function getAccess(ctx: Context, projectId: string, id: string): Promise<AccessView> {
  const revisions = await listRevisionsWith(ctx, projectId, 'acc')
  const rows = await loadCatalog(ctx, projectId)
  const row = rows.access.find((each) => each.id === id)
  if (!row) throw notFound()
  return { ...toView(row, rows), revision: revisions.get(id) ?? 1 }
}

/** 400 `VALIDATION_ERROR`, 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 201st. */
export const createAccess = (ctx: Context, by: ProjectActor, input: AccessInput): Promise<AccessView> =>
  editCatalog(ctx, by, async (edit) => {
    const { identifier, displayName, description = null, metadata = {} } = input
    const row: Access = { id: edit.tx.ids.next('acc'), identifier, displayName, description, metadata }
    check(edit, row)
    refuseOverfull('access levels', edit.rows.access.length + 1, MOST.access)
    const changes = { created: [row], updated: [], deletedIds: [] }
    await writeCatalogPart(edit.tx, edit.projectId, { access: changes })
    edit.entries.push(entryOf('access', 'create', { before: null, after: row }, accessImage))
    return revised(edit, toView(stamped(edit, row), edit.rows))
  })

/** Members that are left out keep their value. Refusals as for `createAccess`. */
export const updateAccess = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<AccessInput>,
): Promise<AccessView> =>
  editCatalog(ctx, by, async (edit) => {
    const saved = await requireObject(edit, edit.rows.access, id)
    const before = withoutStamps(saved)
    const after: Access = { ...before, ...given(change) }
    check(edit, after)
    if (isSame(before, after)) return revised(edit, toView(saved, edit.rows))
    const changes = { created: [], updated: [after], deletedIds: [] }
    await writeCatalogPart(edit.tx, edit.projectId, { access: changes })
    edit.entries.push(entryOf('access', 'update', { before, after }, accessImage))
    return revised(edit, toView(stamped(edit, after, saved.createdAt), edit.rows))
  })

/** 409 `CONFLICT` while a product gives it. */
export const deleteAccess = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editCatalog(ctx, by, async (edit) => {
    const before = await requireObject(edit, edit.rows.access, id)
    await refuseUsed(edit, ACCESS, before.identifier)
    const changes = { created: [], updated: [], deletedIds: [id] }
    await writeCatalogPart(edit.tx, edit.projectId, { access: changes })
    edit.entries.push(entryOf<Access>('access', 'delete', { before, after: null }, accessImage))
  })

function check({ rows }: CatalogEdit, row: Access): void {
  refuseFaults(checkMembers(row))
  const named = rows.access.map(({ id, identifier: name }) => ({ id, name }))
  refuseTaken('access', named, { id: row.id, name: row.identifier })
}

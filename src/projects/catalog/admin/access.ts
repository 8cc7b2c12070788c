import type { Context } from '../../../base/context'
import { given, isSame, type ProjectActor, refuseFaults } from '../../project/edit'
import { ACCESS } from '../project-file/access'
import type { AccessRow } from '../queries'
import { checkMembers, MOST } from '../rules'
import { writeCatalog } from '../service'
import type { Access } from '../snapshot'
import { type AccessView, toAccessView } from './access-view'
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

/** 400 `VALIDATION_ERROR`, 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 201st. */
export const createAccess = (ctx: Context, by: ProjectActor, input: AccessInput): Promise<AccessView> =>
  editCatalog(ctx, by, async (edit) => revised(edit, toAccessView(await addAccess(edit, input), edit.rows)))

/** Adds an access level within an open edit. */
export async function addAccess(edit: CatalogEdit, input: AccessInput): Promise<AccessRow> {
  const { identifier, displayName, description = null, metadata = {} } = input
  const row: Access = { id: edit.tx.ids.next('acc'), identifier, displayName, description, metadata }
  check(edit, row)
  refuseOverfull('access levels', edit.rows.access.length + 1, MOST.access)
  const changes = { created: [row], updated: [], deletedIds: [] }
  await writeCatalog(edit.tx, edit.projectId, { access: changes })
  edit.entries.push(entryOf('access', 'create', { before: null, after: row }, accessImage))
  const saved = stamped(edit, row)
  edit.rows.access.push(saved)
  return saved
}

/** Members that are left out keep their value. Refusals as for `createAccess`. */
export const updateAccess = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<AccessInput>,
): Promise<AccessView> =>
  editCatalog(ctx, by, async (edit) => {
    const saved = await requireObject(edit, 'access', edit.rows.access, id)
    const before = withoutStamps(saved)
    const after: Access = { ...before, ...given(change) }
    check(edit, after)
    if (isSame(before, after)) return revised(edit, toAccessView(saved, edit.rows))
    const changes = { created: [], updated: [after], deletedIds: [] }
    await writeCatalog(edit.tx, edit.projectId, { access: changes })
    edit.entries.push(entryOf('access', 'update', { before, after }, accessImage))
    return revised(edit, toAccessView(stamped(edit, after, saved.createdAt), edit.rows))
  })

/** 409 `CONFLICT` while a product gives it. */
export const deleteAccess = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editCatalog(ctx, by, async (edit) => {
    const before = await requireObject(edit, 'access', edit.rows.access, id)
    await refuseUsed(edit, ACCESS, before.identifier)
    const changes = { created: [], updated: [], deletedIds: [id] }
    await writeCatalog(edit.tx, edit.projectId, { access: changes })
    edit.entries.push(entryOf<Access>('access', 'delete', { before, after: null }, accessImage))
  })

function check({ rows }: CatalogEdit, row: Access): void {
  refuseFaults(checkMembers(row))
  const named = rows.access.map(({ id, identifier: name }) => ({ id, name }))
  refuseTaken('access', named, { id: row.id, name: row.identifier })
}

import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { missing } from '../../../base/errors'
import type { FunnelStatus } from '../../../core/funnel/model'
import { conflict, editProject, type ProjectActor } from '../../../projects/project/edit'
import { type FunnelRow, findVersion } from '../queries'
import { refuseArchived, requireFunnel } from './edit-funnel'
import { save } from './save'
import type { FunnelView } from './view'

/** The next state by command; absent = the command is refused in that state. */
const MOVES: Record<'unpublish' | 'archive' | 'restore', Partial<Record<FunnelStatus, FunnelStatus>>> = {
  unpublish: { PUBLISHED: 'DRAFT' },
  archive: { DRAFT: 'ARCHIVED', PUBLISHED: 'ARCHIVED' },
  restore: { ARCHIVED: 'DRAFT' },
}

/** Takes a funnel off, archives or restores it. 409 `CONFLICT` in a state in which the command makes no sense. */
export const moveFunnel = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  command: keyof typeof MOVES,
): Promise<FunnelView> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireFunnel(edit, id, by.expected)
    const status = MOVES[command][row.status]
    if (!status)
      throw conflict(`${row.slug} is ${row.status}; ${command} needs ${Object.keys(MOVES[command]).join(' or ')}`)
    return save(edit, row, { status, currentVersionNo: null }, command)
  })

/** Makes the content of a version the draft; what is published stays. 404 for a version that does not exist. */
export const revertFunnel = (ctx: Context, by: ProjectActor, id: string, versionNo: number): Promise<FunnelView> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireFunnel(edit, id, by.expected)
    refuseArchived(row)
    const { configFormatVersion: _format, ...draft } = (await requireVersion(edit.tx, row, versionNo)).document
    return save(edit, row, { draft }, 'revert')
  })

export async function requireVersion(handle: Handle, { id, slug }: FunnelRow, versionNo: number) {
  const version = await findVersion(handle, id, versionNo)
  if (!version) throw missing(`Funnel ${slug} has no version ${versionNo}`)
  return version
}

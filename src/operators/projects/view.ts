import type { Context } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import type { MemberRole } from '../../core/roles/roles'
import { logoPath } from '../../projects/project/project-edit'
import type { ProjectRow } from '../../projects/project/service'
import { toProjectView } from './wire'

/** A project as one of its members sees it, with the address of its logo. */
export async function projectView(ctx: Context, row: ProjectRow, role: MemberRole) {
  const path = await logoPath(ctx, row)
  return toProjectView(row, role, path === null ? null : linkBase(ctx) + path)
}

import type { Context } from '../../base/context'
import { readCursor, toList } from '../../base/http/list'
import { toOperatorAction } from './operator-wire'
import { listActions } from './queries'
import type { ActionStatus } from './tables'

interface PageQuery {
  status?: ActionStatus | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** One page of a project's scheduled actions, the newest first. */
export async function listPage(ctx: Context, projectId: string, { status, limit = 50, cursor }: PageQuery) {
  const scope = ['scheduled-actions', projectId, status]
  const last = readCursor(cursor, scope, 1)
  const beforeId = last === null ? undefined : String(last[0])
  const rows = await listActions(ctx, projectId, { status, beforeId, limit: limit + 1 })
  return toList(rows, limit, scope, { positionOf: ({ id }) => [id], toItem: toOperatorAction })
}

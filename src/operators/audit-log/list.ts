import type { Static } from '@sinclair/typebox'
import type { Handle } from '../../base/db/handle'
import { integerAt, readCursor, toList } from '../../base/http/list'
import { type AuditFilter, pageAuditRows } from '../../projects/audit/audit'
import { type AuditQuery, readInstant, toAuditView } from './wire'

/** One page of an audit log, the newest row first. */
export async function listAuditViews(handle: Handle, projectId: string, query: Static<typeof AuditQuery>) {
  const { limit = 50, cursor, actor, action, target } = query
  const filter: AuditFilter = { actor, action, target, ...readPeriod(query) }
  const scope = ['audit-log', projectId, actor, action, target, filter.from, filter.to]
  const last = readCursor(cursor, scope, 1)
  const before = last && integerAt(last, 0)
  const rows = await pageAuditRows(handle, projectId, filter, { before, limit: limit + 1 })
  return toList(rows, limit, scope, { positionOf: ({ position }) => [position], toItem: toAuditView })
}

const readPeriod = ({ from, to }: Static<typeof AuditQuery>) => ({
  from: readInstant('from', from),
  to: readInstant('to', to),
})

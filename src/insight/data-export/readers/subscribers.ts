import { and, asc, count, eq, gte, lt } from 'drizzle-orm'
import type { SnakeCase } from '../../../core/columns/columns'
import type { ExportedColumn } from '../../../people/subscribers/columns'
import { jsonCell } from './json-cell'
import { attributeValues, toOwner, withErasures } from './owners'
import { columnsOf, rowWriter, type TableReader } from './reader'
import { nextStep } from './steps'

const COLUMNS = columnsOf<SnakeCase<ExportedColumn>>({
  ...{ id: 'text', app_user_id: 'text', device_key: 'text', attributes: 'json' },
  ...{ is_synthetic: 'boolean', merged_into: 'text' },
  ...{ first_seen_at: 'time', last_seen_at: 'time', created_at: 'time', updated_at: 'time', erased_at: 'time' },
})

const toRow = rowWriter(COLUMNS)
const PAGE = 1000

/** Everybody, also those who were merged into others and those who were erased. In the order of ids. */
export const subscriberReader: TableReader = {
  columns: COLUMNS,

  async page(handle, { project, window }, after) {
    const { subscribers: s } = handle.tables
    const own = eq(s.projectId, project.id)
    const { where, next, seen } = await nextStep(handle, { table: s, position: s.id, own, after, size: PAGE })
    const isChanged = window.from === null ? undefined : gte(s.updatedAt, window.from)
    const rows = await handle.db
      .select({
        ...{ id: s.id, deviceKey: s.deviceKey, appUserId: s.appUserId, attributes: jsonCell(s.attributes) },
        ...{ isSynthetic: s.isSynthetic, mergedInto: s.mergedInto, erasedAt: s.erasedAt },
        ...{ firstSeenAt: s.firstSeenAt, lastSeenAt: s.lastSeenAt, createdAt: s.createdAt, updatedAt: s.updatedAt },
      })
      .from(s)
      .where(and(where, isChanged, lt(s.createdAt, window.to)))
      .orderBy(asc(s.id))
    return { next, seen, rows: (await withErasures(handle, rows)).map(toSubscriberRow) }
  },

  async count({ db, tables: { subscribers: s } }, projectId) {
    const [row] = await db.select({ rows: count() }).from(s).where(eq(s.projectId, projectId))
    return row?.rows ?? 0
  },
}

type Stored = Parameters<typeof toOwner>[0] & {
  isSynthetic: boolean
  mergedInto: string | null
  createdAt: number
  updatedAt: number
}

function toSubscriberRow(row: Stored) {
  const owner = toOwner(row)
  return toRow({
    id: row.id,
    app_user_id: owner.appUserId,
    device_key: owner.deviceKey,
    attributes: attributeValues(owner),
    is_synthetic: row.isSynthetic,
    merged_into: row.mergedInto,
    first_seen_at: row.firstSeenAt,
    last_seen_at: row.lastSeenAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    erased_at: row.erasedAt,
  })
}

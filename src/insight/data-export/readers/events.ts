import { and, asc, count, eq, gte, lt } from 'drizzle-orm'
import type { Column } from '../model'
import { jsonCell } from './json-cell'
import { ownersOf } from './owners'
import { rowWriter, type TableReader } from './reader'
import { nextStep } from './steps'

const COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'position', type: 'int64' },
  { name: 'type', type: 'text' },
  { name: 'subscriber_id', type: 'text' },
  { name: 'app_user_id', type: 'text' },
  { name: 'seq', type: 'int64' },
  { name: 'is_sandbox', type: 'boolean' },
  { name: 'occurred_at', type: 'time' },
  { name: 'recorded_at', type: 'time' },
  { name: 'cause', type: 'json' },
  { name: 'before', type: 'json' },
  { name: 'after', type: 'json' },
  { name: 'data', type: 'json' },
] as const satisfies readonly Column[]

const toRow = rowWriter(COLUMNS)
const PAGE = 500

/** The events that are kept, in the order of the feed. Of an erased person only type, time and number are left. */
export const eventReader: TableReader = {
  columns: COLUMNS,

  async page(handle, { project, window }, after) {
    const { events: e } = handle.tables
    const own = eq(e.projectId, project.id)
    const from = after === null ? null : Number(after)
    const { where, next, seen } = await nextStep(handle, {
      table: e,
      position: e.position,
      own,
      after: from,
      size: PAGE,
    })
    const isInWindow = and(
      window.from === null ? undefined : gte(e.recordedAt, window.from),
      lt(e.recordedAt, window.to),
    )
    const found = handle.db.select({
      ...{ id: e.id, position: e.position, type: e.type, subscriberId: e.subscriberId, appUserId: e.appUserId },
      ...{ seq: e.seq, environment: e.environment, occurredAt: e.occurredAt, recordedAt: e.recordedAt },
      ...{ cause: jsonCell(e.cause), before: jsonCell(e.before), after: jsonCell(e.after), data: jsonCell(e.data) },
    })
    const rows = await found.from(e).where(and(where, isInWindow)).orderBy(asc(e.position))
    const owners = await ownersOf(
      handle,
      rows.map(({ subscriberId }) => subscriberId),
    )
    const isErased = (id: string | null) => id !== null && owners.get(id)?.isErased === true
    return { next, seen, rows: rows.map((row) => toEventRow(row, isErased(row.subscriberId))) }
  },

  async count({ db, tables: { events: e } }, projectId) {
    const [row] = await db.select({ rows: count() }).from(e).where(eq(e.projectId, projectId))
    return row?.rows ?? 0
  },
}

interface Stored {
  id: string
  position: number
  type: string
  subscriberId: string | null
  appUserId: string | null
  seq: number | null
  environment: string
  occurredAt: number
  recordedAt: number
  cause: object | null
  before: unknown
  after: unknown
  data: object | null
}

function toEventRow(row: Stored, isErased: boolean) {
  return toRow({
    id: row.id,
    position: row.position,
    type: row.type,
    subscriber_id: row.subscriberId,
    app_user_id: isErased ? null : row.appUserId,
    seq: row.seq,
    is_sandbox: row.environment === 'SANDBOX',
    occurred_at: row.occurredAt,
    recorded_at: row.recordedAt,
    cause: isErased ? null : row.cause,
    before: isErased ? null : toObject(row.before),
    after: isErased ? null : toObject(row.after),
    data: isErased ? null : row.data,
  })
}

const toObject = (value: unknown): object | null => (typeof value === 'object' ? value : null)

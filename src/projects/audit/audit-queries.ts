import { and, asc, desc, eq, getTableColumns, gt, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import { exactJson } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'

export type AuditRow = Handle['tables']['auditLog']['$inferSelect']

/** The hash of the project's newest row, or null when it has none. */
export async function findAuditHead({ db, tables }: Handle, projectId: string): Promise<string | null> {
  const { auditLog: a } = tables
  const newest = db.select({ rowHash: a.rowHash }).from(a).where(eq(a.projectId, projectId))
  const [row] = await newest.orderBy(desc(a.position)).limit(1)
  return row?.rowHash ?? null
}

export async function insertAuditRows({ db, tables }: Handle, rows: Omit<AuditRow, 'position'>[]): Promise<void> {
  await db.insert(tables.auditLog).values(rows)
}

/** The rows of a project after a position, in the order of the hash chain. */
export async function listAuditRows(
  handle: Handle,
  projectId: string,
  after: number,
  limit: number,
): Promise<AuditRow[]> {
  const { auditLog: a } = handle.tables
  const isNext = and(eq(a.projectId, projectId), gt(a.position, after))
  return handle.db.select(exactColumns(handle)).from(a).where(isNext).orderBy(asc(a.position)).limit(limit)
}

/** An amount with 64 bits must be hashed with the digits that it was written with. */
const exactColumns = ({ tables: { auditLog: a } }: Handle) => ({
  ...getTableColumns(a),
  before: exactJson(a.before),
  after: exactJson(a.after),
})

/** Which rows of a log to read. Members that are left out allow everything. */
export interface AuditFilter {
  /** `USER`, `CLI` or `SCHEDULE`, the id of a user, or their mail address. */
  actor?: string | undefined
  /** `flag.update`, or `flag` for every action on flags. */
  action?: string | undefined
  /** The id of an object, or a type such as `flag`. */
  target?: string | undefined
  /** Milliseconds, inclusive. */
  from?: number | undefined
  /** Milliseconds, exclusive. */
  to?: number | undefined
}

/** The newest rows of a project's log that were written before the row at `before`; null = the newest of all. */
export async function pageAuditRows(
  handle: Handle,
  projectId: string,
  { actor, action, target, from, to }: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditRow[]> {
  const { auditLog: a } = handle.tables
  const isAsked = and(
    eq(a.projectId, projectId),
    before === null ? undefined : lt(a.position, before),
    actor === undefined ? undefined : hasValue(a.actor, actor),
    target === undefined ? undefined : hasValue(a.target, target),
    action === undefined
      ? undefined
      : or(eq(a.action, action), eq(beginning(a.action, action.length + 1), `${action}.`)),
    from === undefined ? undefined : gte(a.at, from),
    to === undefined ? undefined : lt(a.at, to),
  )
  return handle.db.select(exactColumns(handle)).from(a).where(isAsked).orderBy(desc(a.position)).limit(limit)
}

type Columns = Handle['tables']['auditLog']

const beginning = (column: Columns['action'], length: number): SQL => sql`substr(${column}, 1, ${length})`

/**
 * Whether a member of a JSON column is this text. Both dialects write the column as text, and differ only in spaces;
 * `like` is no choice, because SQLite ignores the case of letters there.
 */
export function hasValue(column: Columns['actor'] | Columns['target'], value: string): SQL {
  const text = sql`replace(cast(${column} as text), ' ', '')`
  const part = `:${JSON.stringify(value).replaceAll(' ', '')}`
  return sql`replace(${text}, ${part}, '') <> ${text}`
}

import { and, asc, count, eq, gte, lt } from 'drizzle-orm'
import { exactly } from '../../../base/db/exact'
import type { Handle } from '../../../base/db/handle'
import { HOUR } from '../../../base/lib/clock'
import { idBound } from '../../../base/lib/ids'
import type { Column, ExportWindow } from '../model'
import { ownersOf } from './owners'
import { type ReadScope, rowWriter, type TableReader } from './reader'
import { nextStep } from './steps'

const COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'subscriber_id', type: 'text' },
  { name: 'currency_id', type: 'text' },
  { name: 'currency', type: 'text' },
  { name: 'number', type: 'int64' },
  { name: 'type', type: 'text' },
  { name: 'amount', type: 'int64' },
  { name: 'balance', type: 'int64' },
  { name: 'reference_type', type: 'text' },
  { name: 'reference_id', type: 'text' },
  { name: 'idempotency_key', type: 'text' },
  { name: 'description', type: 'text' },
  { name: 'created_at', type: 'time' },
] as const satisfies readonly Column[]

const toRow = rowWriter(COLUMNS)
const PAGE = 1000
/** An id is made in the transaction of its row, so its time hardly differs from that of the row. */
const MOST_APART = HOUR

/** Every booking of a virtual currency; rows are never changed. In the order of ids, which is that of time. */
export const ledgerReader: TableReader = {
  columns: COLUMNS,

  async page(handle, scope, after) {
    const { window, project } = scope
    const { ledger: l } = handle.tables
    const own = eq(l.projectId, project.id)
    const start = after ?? firstId(window)
    const { where, next, seen } = await nextStep(handle, { table: l, position: l.id, own, after: start, size: PAGE })
    const isInWindow = and(window.from === null ? undefined : gte(l.createdAt, window.from), lt(l.createdAt, window.to))
    const found = handle.db.select({ ...plainColumns(l), amount: exactly(l.amount), balance: exactly(l.balance) })
    const rows = await found.from(l).where(and(where, isInWindow)).orderBy(asc(l.id))
    const owners = await ownersOf(
      handle,
      rows.map(({ subscriberId }) => subscriberId),
    )
    const toLedgerRow = ledgerRows(scope, (id) => owners.get(id)?.isErased === true)
    return { next, seen, rows: rows.map(toLedgerRow) }
  },

  async count({ db, tables: { ledger: l } }, projectId) {
    const [row] = await db.select({ rows: count() }).from(l).where(eq(l.projectId, projectId))
    return row?.rows ?? 0
  },
}

const firstId = ({ from }: ExportWindow): string | null =>
  from === null ? null : idBound('vtx', Math.max(0, from - MOST_APART))

const plainColumns = (l: Handle['tables']['ledger']) => ({
  ...{ id: l.id, subscriberId: l.subscriberId, currencyId: l.currencyId, number: l.number, type: l.type },
  ...{ idempotencyKey: l.idempotencyKey, referenceType: l.referenceType, referenceId: l.referenceId },
  ...{ description: l.description, createdAt: l.createdAt },
})

type Stored = Omit<Handle['tables']['ledger']['$inferSelect'], 'projectId' | 'grantReference'>

/** The texts that the customer has given about an erased person are left out. */
const ledgerRows =
  ({ project }: ReadScope, isErased: (subscriberId: string) => boolean) =>
  (row: Stored) =>
    toRow({
      id: row.id,
      subscriber_id: row.subscriberId,
      currency_id: row.currencyId,
      currency: project.catalog.currencies.get(row.currencyId)?.code ?? null,
      number: row.number,
      type: row.type,
      amount: row.amount,
      balance: row.balance,
      created_at: row.createdAt,
      ...(isErased(row.subscriberId) ? withoutTexts(row) : textsOf(row)),
    })

const textsOf = ({ referenceType, referenceId, idempotencyKey, description }: Stored) => ({
  ...{ reference_type: referenceType, reference_id: referenceId, idempotency_key: idempotencyKey, description },
})

/** A booking without a key of the customer is one of ours, and names a purchase. */
const withoutTexts = (row: Stored) => (row.idempotencyKey === null ? { ...textsOf(row), description: null } : NO_TEXTS)

const NO_TEXTS = { reference_type: null, reference_id: null, idempotency_key: null, description: null }

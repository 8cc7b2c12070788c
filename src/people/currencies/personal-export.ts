import { and, asc, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { isAfter } from '../../base/db/range'
import { toJsonInteger } from '../../base/lib/int64'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { ExportedPerson, OnExport } from '../subscribers/hooks'
import { columnsOf, type LedgerRow } from './queries'
import { balancesByCode } from './service'

/** For the data export of a person: the ledger of all merged rows, and the balances. */
export const exportLedger: OnExport = (handle, project, person) => ({
  'subscriber.json': (async function* () {
    yield { balances: await balancesByCode(handle, project, person.row.id) }
  })(),
  'ledger.jsonl': ledgerOf(handle, project, person),
})

async function* ledgerOf(handle: Handle, { catalog }: ProjectState, { ids }: ExportedPerson) {
  for (const id of ids)
    for await (const { projectId: _, currencyId, amount, balance, createdAt, ...row } of allRows(entriesOf(handle, id)))
      yield {
        ...{ id: row.id, subscriberId: row.subscriberId, code: catalog.currencies.get(currencyId)?.code ?? currencyId },
        ...{ number: row.number, type: row.type, amount: toJsonInteger(amount), balance: toJsonInteger(balance) },
        ...{ description: row.description, idempotencyKey: row.idempotencyKey, grantReference: row.grantReference },
        ...{ referenceType: row.referenceType, referenceId: row.referenceId, createdAt: toIso(createdAt) },
      }
}

/** In the order of the index: one currency after the other, oldest first. */
const entriesOf =
  ({ db, tables: { ledger: l } }: Handle, subscriberId: string) =>
  (after: LedgerRow | null, limit: number): Promise<LedgerRow[]> =>
    db
      .select(columnsOf(l))
      .from(l)
      .where(
        and(
          eq(l.subscriberId, subscriberId),
          after === null ? undefined : isAfter([l.currencyId, l.number], [after.currencyId, after.number]),
        ),
      )
      .orderBy(asc(l.currencyId), asc(l.number))
      .limit(limit)

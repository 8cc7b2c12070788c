import { asc, eq, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedRows } from '../../base/db/prepared'

export type EntryRow = Handle['tables']['figureEntries']['$inferSelect']
export type NewEntryRow = Omit<EntryRow, 'position'>

/** Every row of a purchase, the oldest news first. */
export async function listEntries(handle: Handle, purchaseId: string): Promise<EntryRow[]> {
  const query = prepared(handle, 'figures.ofPurchase', ({ db, tables: { figureEntries: f } }) =>
    db
      .select()
      .from(f)
      .where(eq(f.purchaseId, sql.placeholder('purchaseId')))
      .orderBy(asc(f.position))
      .prepare(),
  )
  return query.execute({ purchaseId })
}

export async function insertEntries(handle: Handle, rows: NewEntryRow[]): Promise<void> {
  const { shape, values, params } = preparedRows(rows)
  const build = ({ db, tables: { figureEntries: f } }: Handle) => db.insert(f).values(values()).prepare()
  await prepared(handle, `figures.insert ${shape}`, build).execute(params)
}

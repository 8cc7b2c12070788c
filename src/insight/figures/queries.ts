import { asc, eq, inArray, sql } from 'drizzle-orm'
import { bySome } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { insertMany } from '../../base/db/insert-many'
import { prepared, preparedRows } from '../../base/db/prepared'
import { VALUE_NAMES, type ValueName } from './model'

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

/** Every row of many purchases, by purchase, the oldest news first. */
export async function listEntriesOf(
  { db, tables: { figureEntries: f } }: Handle,
  purchaseIds: readonly string[],
): Promise<Map<string, EntryRow[]>> {
  const rows = await bySome(purchaseIds, (some) =>
    db.select().from(f).where(inArray(f.purchaseId, some)).orderBy(asc(f.position)),
  )
  return Map.groupBy(rows, ({ purchaseId }) => purchaseId)
}

/**
 * Rows with the same values unequal to zero share a statement. The rows of one purchase keep their order, for the last
 * one of an instant says in which group the purchase counts.
 */
export async function insertManyEntries(handle: Handle, rows: readonly NewEntryRow[]): Promise<void> {
  for (const round of inRounds(rows))
    for (const [key, group] of Map.groupBy(round, namesOf)) await insertAlike(handle, group, key)
}

/** The first row of each purchase, then the second one of each, and so on. */
function inRounds(rows: readonly NewEntryRow[]): NewEntryRow[][] {
  const counts = new Map<string, number>()
  const rounds: NewEntryRow[][] = []
  for (const row of rows) {
    const number = counts.get(row.purchaseId) ?? 0
    counts.set(row.purchaseId, number + 1)
    const round = rounds[number]
    if (round) round.push(row)
    else rounds[number] = [row]
  }
  return rounds
}

const namesOf = (row: NewEntryRow): string => VALUE_NAMES.filter((name) => row[name] !== 0).join()

async function insertAlike(handle: Handle, rows: readonly NewEntryRow[], key: string): Promise<void> {
  const names = VALUE_NAMES.filter((name) => key.split(',').includes(name))
  const zeros = zerosBut(names)
  const some = rows.map((row) => withValues(row, names))
  await insertMany(handle, some, {
    name: `figures.insertMany ${key}`,
    build: ({ db, tables: { figureEntries: f } }, values) =>
      db
        .insert(f)
        .values(values.map((row) => ({ ...row, ...zeros })))
        .prepare(),
  })
}

const zerosBut = (names: readonly ValueName[]) => {
  const zero = sql<number>`0`
  return Object.fromEntries(VALUE_NAMES.filter((name) => !names.includes(name)).map((name) => [name, zero]))
}

/** Values that are zero in all rows are part of the statement's text: most are, and each value that is bound takes time. */
export async function insertEntries(handle: Handle, rows: NewEntryRow[]): Promise<void> {
  const names = VALUE_NAMES.filter((name) => rows.some((row) => row[name] !== 0))
  const { shape, values, params } = preparedRows(rows.map((row) => withValues(row, names)))
  const zeros = zerosBut(names)
  const build = ({ db, tables: { figureEntries: f } }: Handle) =>
    db
      .insert(f)
      .values(values().map((row) => ({ ...row, ...zeros })))
      .prepare()
  await prepared(handle, `figures.insert ${shape} ${names.join()}`, build).execute(params)
}

/** Those values that are named, and everything that is no value. */
function withValues(row: NewEntryRow, names: readonly ValueName[]): NewEntryRow {
  const about: Record<string, unknown> = {}
  for (const name in row)
    if (!IS_VALUE.has(name) || names.includes(name as ValueName)) about[name] = row[name as keyof NewEntryRow]
  return about as NewEntryRow
}

const IS_VALUE: ReadonlySet<string> = new Set(VALUE_NAMES)

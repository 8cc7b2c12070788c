import { asc, eq, inArray, type Placeholder, sql } from 'drizzle-orm'
import { byPrepared } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { insertMany, insertTogether } from '../../base/db/insert-many'
import { prepared } from '../../base/db/prepared'
import { VALUE_NAMES, type ValueName, type Values } from './model'

export type EntryRow = Handle['tables']['figureEntries']['$inferSelect']
export type NewEntryRow = Omit<EntryRow, 'position'>
/** A new row, besides its values. */
export interface NewEntry {
  row: Omit<NewEntryRow, ValueName>
  values: Values
}

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
export async function listEntriesOf(handle: Handle, purchaseIds: readonly string[]): Promise<Map<string, EntryRow[]>> {
  const rows = await byPrepared(handle, purchaseIds, OF_PURCHASES)
  return Map.groupBy(rows, ({ purchaseId }) => purchaseId)
}

const OF_PURCHASES = {
  name: 'figures.ofPurchases',
  build: ({ db, tables: { figureEntries: f } }: Handle, some: Placeholder[]) =>
    db.select().from(f).where(inArray(f.purchaseId, some)).orderBy(asc(f.position)).prepare(),
}

/** The store products that rows of purchases are about. */
export async function listEntryNames(handle: Handle, purchaseIds: readonly string[]): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>()
  for (const { purchaseId, storeProductId } of await byPrepared(handle, purchaseIds, NAMES_OF_PURCHASES))
    names.set(purchaseId, [...(names.get(purchaseId) ?? []), storeProductId])
  return names
}

const NAMES_OF_PURCHASES = {
  name: 'figures.namesOfPurchases',
  build: ({ db, tables: { figureEntries: f } }: Handle, some: Placeholder[]) =>
    db
      .selectDistinct({ purchaseId: f.purchaseId, storeProductId: f.storeProductId })
      .from(f)
      .where(inArray(f.purchaseId, some))
      .prepare(),
}

/**
 * Rows of one kind and purchase stay in their order: the last one of an instant says in which group it counts. Most
 * values are zero in most rows, and each value that is bound takes time. So there is a statement for money alone, one for
 * the usual values, and one for any.
 */
export async function insertManyEntries(handle: Handle, rows: readonly NewEntryRow[]): Promise<void> {
  const widths = new Map<string, number>()
  for (const row of rows) {
    const name = row.kind + row.purchaseId
    widths.set(name, Math.max(widths.get(name) ?? 0, widthOf(row)))
  }
  const parts = Map.groupBy(rows, ({ kind, purchaseId }) => widths.get(kind + purchaseId) ?? 0)
  for (const [width, some] of parts) await insertSome(handle, some, `${width}`, ZEROS_BY_WIDTH[width] ?? {})
}

async function insertSome(handle: Handle, rows: readonly NewEntryRow[], name: string, zeros: object): Promise<void> {
  await insertMany(handle, rows, {
    name: `figures.insertMany ${name}`,
    build: ({ db, tables: { figureEntries: f } }, values) =>
      db
        .insert(f)
        .values(values.map((row) => ({ ...row, ...zeros })))
        .prepare(),
  })
}

function zerosBut(names: readonly ValueName[]) {
  const zero = sql<number>`0`
  return Object.fromEntries(VALUE_NAMES.filter((name) => !names.includes(name)).map((name) => [name, zero]))
}

/**
 * Adds entries of one purchase that became known at once. Each value that is bound takes time, so zeros are part of the
 * statement's text, and what all entries have in common is bound once.
 */
export async function insertEntries(handle: Handle, entries: readonly NewEntry[]): Promise<void> {
  const names = entries.map(({ values }) => valuesIn(values))
  const rows = entries.map(({ row, values }): NewEntry['row'] & Values => Object.assign(row, values))
  const [first, ...others] = rows
  const same = PLACES.filter((column) => isShared(column, first, others))
  await insertTogether(handle, rows, {
    name: `figures.insert ${names.join(' ')} ${same.join()}`,
    columns: () => names.map((own) => [...SHARED, ...PLACES, ...OWN, ...own]),
    shared: () => new Set<string>([...SHARED, ...same]),
    build: ({ db, tables: { figureEntries: f } }, values) =>
      db
        .insert(f)
        .values(values.map((row, index) => ({ ...row, ...zerosBut(names[index] ?? []) }) as NewEntryRow))
        .prepare(),
  })
}

function valuesIn(values: Values): ValueName[] {
  const names: ValueName[] = []
  for (const name in values) if (values[name as ValueName]) names.push(name as ValueName)
  return names
}

function isShared(
  column: (typeof PLACES)[number],
  first: NewEntry['row'] | undefined,
  others: readonly NewEntry['row'][],
): boolean {
  for (const row of others) if (row[column] !== first?.[column]) return false
  return true
}

/** Columns that all entries of a purchase have in common, and those that they mostly have. */
const SHARED = ['projectId', 'environment', 'purchaseId', 'knownAt', 'store'] as const
const PLACES = [
  ...(['transactionId', 'storeProductId', 'product', 'country', 'platform'] as const),
  ...(['offering', 'placement', 'variant', 'price', 'pendingUntil'] as const),
] as const
const OWN = ['kind', 'key', 'at'] as const

const MONEY: readonly ValueName[] = ['gross', 'commission', 'charges', 'renewals', 'refunds', 'returned']
/** And what renewals, trials and ordinary ends count for. */
const USUAL: readonly ValueName[] = [
  ...MONEY,
  ...(['mrrNew', 'mrrReactivation', 'mrrChurn', 'paidIn', 'paidAgain', 'paidOut'] as const),
  ...(['trialIn', 'trialOut', 'trialStarts', 'trialConverted', 'due', 'dueMicros', 'active', 'renewing'] as const),
  ...(['endVoluntary', 'endUnknown', 'endRefund', 'expiredOut', 'churnVoluntary', 'churnRefund'] as const),
  ...(['cancelVoluntary', 'uncancelled'] as const),
]
const BEYOND_MONEY = VALUE_NAMES.filter((name) => USUAL.includes(name) && !MONEY.includes(name))
const UNUSUAL = VALUE_NAMES.filter((name) => !USUAL.includes(name))
const ZEROS_BY_WIDTH: readonly object[] = [zerosBut(MONEY), zerosBut(USUAL), {}]

function widthOf(row: NewEntryRow): number {
  for (const name of UNUSUAL) if (row[name] !== 0) return 2
  for (const name of BEYOND_MONEY) if (row[name] !== 0) return 1
  return 0
}

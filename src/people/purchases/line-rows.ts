import type { Tx } from '../../base/context'
import { RateTable } from '../../projects/exchange-rates/rate-table'
import type { ProjectState } from '../../projects/project/state'
import { type JoinedTransaction, saveJoinedTransactions } from './joined'
import { dollarsOf } from './line-dollars'
import { revenueKeyOf } from './line-scope'
import { insertManyTransactions } from './many-queries'
import type { TransactionLine } from './model'
import {
  deleteTransactions,
  hasRevenueKey,
  insertTransactions,
  listTransactions,
  type PurchaseRow,
  type TransactionRow,
  updateTransaction,
} from './queries'
import { findStoreProduct } from './store-product'

/** A money line with its row. */
export interface SavedLine {
  line: TransactionLine
  row: TransactionRow
}

/** The stored lines of a purchase after a change, by line key, and which of them are new. */
export interface StoredLines {
  rows: ReadonlyMap<string, TransactionRow>
  /** Without those that are a line of another purchase already. */
  saved: SavedLine[]
  newLines: TransactionLine[]
  /** Store transactions of lines that were stored without a product and have one now. */
  linked: ReadonlySet<string>
  /** Ids of lines that were removed, because they counted the charge of another one a second time. */
  joined: string[]
}

/**
 * Whether a line that was stored without a product gets the one that the catalogue has for it now. Only what also gives
 * the grants of such lines may link them.
 */
export type Linking = 'LINKS' | 'KEEPS'

type Owner = Pick<PurchaseRow, 'id' | 'projectId' | 'subscriberId' | 'store' | 'environment' | 'chargeScope'>

/**
 * Makes the stored money lines of a purchase equal to the computed ones. A late observation may change the kind of a
 * line, or remove it. A line is not written when its revenue key exists already.
 */
export async function storeLines(
  tx: Tx,
  project: ProjectState,
  purchase: Owner,
  isNew: boolean,
  lines: readonly TransactionLine[],
  linking: Linking = 'KEEPS',
): Promise<StoredLines> {
  const rows = isNew ? [] : await listTransactions(tx, purchase.id)
  const plan = planLines(tx, project, { purchase, rows, lines }, await ratesFor(tx, [lines]), linking)
  const { fresh } = plan
  const inserted = fresh.length === 0 ? [] : await insertTransactions(tx, fresh.map(toSavedRow))
  await writeOthers(tx, plan)
  return toStored(plan, new Set(inserted))
}

/** The lines of one of many purchases, and the rows that it has so far. */
export interface LineOrder {
  purchase: Owner
  rows: readonly TransactionRow[]
  lines: readonly TransactionLine[]
}

/** Like `storeLines`, for many purchases at once. */
export async function storeManyLines(
  tx: Tx,
  project: ProjectState,
  orders: readonly LineOrder[],
  linking: Linking = 'KEEPS',
): Promise<StoredLines[]> {
  const rates = await ratesFor(
    tx,
    orders.map(({ lines }) => lines),
  )
  const plans = orders.map((order) => planLines(tx, project, order, rates, linking))
  const inserted = await insertManyTransactions(
    tx,
    plans.flatMap(({ fresh }) => fresh.map(toSavedRow)),
  )
  for (const plan of plans) if (plan.held.size > 0) await writeOthers(tx, plan)
  return plans.map((plan) => toStored(plan, inserted))
}

interface LinePlan {
  /** By the revenue key that each row is to have. */
  held: ReadonlyMap<string, TransactionRow>
  wanted: SavedLine[]
  fresh: SavedLine[]
  /** The lines that go. */
  stale: TransactionRow[]
  joined: JoinedTransaction[]
}

function planLines(
  tx: Tx,
  project: ProjectState,
  { purchase, rows, lines }: LineOrder,
  rates: RateTable,
  linking: Linking,
): LinePlan {
  const held = heldUnder(purchase, rows, lines)
  const dollars = dollarsOfChanged(purchase, held, lines, rates)
  const wanted = lines.map((line) => {
    const before = held.get(revenueKeyOf(purchase, line))
    const productId = lineProductId(project, purchase.store, line, before, linking)
    return { line, row: { ...toRow(tx, purchase, line, before, dollars), productId } }
  })
  const keys = new Set(wanted.map(({ row }) => row.revenueKey))
  const stale = [...held].filter(([key]) => !keys.has(key)).map(([, row]) => row)
  const joined = stale.flatMap((row) => joinedWith(row, wanted))
  return { held, wanted, fresh: wanted.filter(({ row }) => !held.has(row.revenueKey)), stale, joined }
}

const renamed = ({ key, storeTransactionId }: TransactionLine, id: string) => ({
  key: `${id}${key.slice(storeTransactionId.length)}`,
  storeTransactionId: id,
})

/** A copy that was bought earlier gives the lines of a charge another key: they are still the same lines. */
function heldUnder(
  purchase: Owner,
  rows: readonly TransactionRow[],
  lines: readonly TransactionLine[],
): Map<string, TransactionRow> {
  const held = new Map(rows.map((row) => [row.revenueKey, row]))
  for (const line of lines) {
    const key = revenueKeyOf(purchase, line)
    if (!line.aliases || held.has(key)) continue
    const named = line.aliases.map((id) => revenueKeyOf(purchase, renamed(line, id)))
    const known = named.find((name) => held.has(name))
    const row = known === undefined ? undefined : held.get(known)
    if (known === undefined || !row) continue
    held.delete(known)
    held.set(key, row)
  }
  return held
}

/** As for a purchase: a line keeps its product as long as it is about the same store product. */
function lineProductId(
  { catalog }: ProjectState,
  store: PurchaseRow['store'],
  { storeProductId }: TransactionLine,
  held: TransactionRow | undefined,
  linking: Linking,
): string | null {
  const isKept = held && (held.storeProductId ?? storeProductId) === storeProductId
  if (isKept && (held.productId !== null || linking === 'KEEPS')) return held.productId
  return findStoreProduct(catalog, storeProductId, store)?.id ?? null
}

const toSavedRow = ({ row }: SavedLine): TransactionRow => row

/** Updates and deletes; the new rows are written before. */
async function writeOthers(tx: Tx, { held, wanted, stale, joined }: LinePlan): Promise<void> {
  for (const { row } of wanted) await updateChanged(tx, held.get(row.revenueKey), row)
  const [first] = stale
  if (!first) return
  if (joined.length > 0) await saveJoinedTransactions(tx, first.projectId, joined)
  await deleteTransactions(
    tx,
    stale.map(({ id }) => id),
  )
}

const toStored = ({ held, wanted, fresh, joined }: LinePlan, inserted: ReadonlySet<string>): StoredLines => ({
  rows: new Map(wanted.map(({ line, row }) => [line.key, row])),
  saved: wanted.filter(({ row }) => held.has(row.revenueKey) || inserted.has(row.id)),
  newLines: fresh.filter(({ row }) => inserted.has(row.id)).map(({ line }) => line),
  linked: new Set(wanted.filter(({ row }) => isLinked(held.get(row.revenueKey), row)).map(toStoreTransaction)),
  joined: joined.map(({ id }) => id).sort(),
})

const isLinked = (held: TransactionRow | undefined, row: TransactionRow): boolean =>
  held?.productId === null && row.productId !== null

const toStoreTransaction = ({ row }: SavedLine): string => row.storeTransactionId

/** The exchange rates, unless every amount is in dollars. */
async function ratesFor(tx: Tx, lines: readonly (readonly TransactionLine[])[]): Promise<RateTable> {
  const isAllDollars = lines.every((own) => own.every(({ price }) => !price || price.currency === 'USD'))
  return isAllDollars ? RateTable.EMPTY : tx.state.exchangeRates.current(tx)
}

function toRow(
  tx: Tx,
  purchase: Owner,
  line: TransactionLine,
  held: TransactionRow | undefined,
  dollars: ReadonlyMap<string, number | null>,
): Omit<TransactionRow, 'productId'> {
  const { id: purchaseId, projectId, subscriberId, store, environment } = purchase
  const { price } = line
  return {
    id: held?.id ?? tx.ids.next('txn'),
    projectId,
    purchaseId,
    subscriberId,
    store,
    environment,
    revenueKey: revenueKeyOf(purchase, line),
    storeTransactionId: line.storeTransactionId,
    kind: line.kind,
    storeProductId: line.storeProductId,
    amountMicros: price?.amountMicros ?? null,
    currency: price?.currency ?? null,
    usdMicros: dollars.has(line.key) ? (dollars.get(line.key) ?? null) : (held?.usdMicros ?? null),
    quantity: line.quantity,
    renewalNumber: line.renewalNumber,
    occurredAt: line.occurredAt,
    createdAt: held?.createdAt ?? tx.clock.now(),
  }
}

const COMPARED = [
  ...(['revenueKey', 'storeTransactionId', 'kind', 'amountMicros', 'currency', 'usdMicros'] as const),
  ...(['productId', 'renewalNumber', 'occurredAt', 'quantity'] as const),
] as const

/**
 * The amounts in dollars of every charge that has a new line or a line with another amount or day, with all its lines.
 * The others keep theirs: when a rate changes, the slice of the conversions corrects them and keeps count.
 */
function dollarsOfChanged(
  purchase: Owner,
  held: ReadonlyMap<string, TransactionRow>,
  lines: readonly TransactionLine[],
  rates: RateTable,
): ReadonlyMap<string, number | null> {
  const changed = new Set(
    lines
      .filter((line) => isMoneyChanged(held.get(revenueKeyOf(purchase, line)), line))
      .map(({ storeTransactionId }) => storeTransactionId),
  )
  return dollarsOf(
    lines.filter(({ storeTransactionId }) => changed.has(storeTransactionId)),
    rates,
  )
}

const isMoneyChanged = (held: TransactionRow | undefined, { price, occurredAt }: TransactionLine): boolean =>
  !held ||
  held.amountMicros !== (price?.amountMicros ?? null) ||
  held.currency !== (price?.currency ?? null) ||
  held.occurredAt !== occurredAt

/** SQLite writes the indexes of every column that an UPDATE names, even when its value stays. */
const changedMembers = (held: TransactionRow, row: TransactionRow): Partial<TransactionRow> =>
  Object.fromEntries(Object.entries(row).filter(([column, value]) => held[column as keyof TransactionRow] !== value))

async function updateChanged(tx: Tx, held: TransactionRow | undefined, row: TransactionRow): Promise<void> {
  if (!held || !(COMPARED.some((column) => held[column] !== row[column]) || isNamedNow(held, row))) return
  // Until both are merged, another purchase may have the line under its new key.
  const isTaken = held.revenueKey !== row.revenueKey && (await hasRevenueKey(tx, row))
  await updateTransaction(tx, row.id, changedMembers(held, isTaken ? { ...row, revenueKey: held.revenueKey } : row))
}

/** A line of before the column `storeProductId` that waits for its product can be found only with its store product. */
const isNamedNow = (held: TransactionRow, row: TransactionRow): boolean =>
  row.productId === null && held.storeProductId !== row.storeProductId

/** The line that stays for the charge of a copy: of the same kind, else that of the charge itself. */
function joinedWith(
  { id, storeTransactionId, kind }: TransactionRow,
  wanted: readonly SavedLine[],
): JoinedTransaction[] {
  const own = wanted.filter(({ line }) => line.aliases?.includes(storeTransactionId))
  const stays = own.find(({ line }) => line.kind === kind) ?? own[0]
  return stays ? [{ id, transactionId: stays.row.id }] : []
}

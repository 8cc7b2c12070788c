import type { Tx } from '../../base/context'
import { RateTable } from '../../projects/exchange-rates/rate-table'
import type { ProjectState } from '../../projects/project/state'
import { dollarsOf } from './line-dollars'
import type { TransactionLine } from './model'
import {
  deleteTransactions,
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
}

type Owner = Pick<PurchaseRow, 'id' | 'projectId' | 'subscriberId' | 'store' | 'environment'>

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
): Promise<StoredLines> {
  const held = new Map((isNew ? [] : await listTransactions(tx, purchase.id)).map((row) => [row.revenueKey, row]))
  const dollars = await dollarsOfChanged(tx, purchase, held, lines)
  const wanted = lines.map((line) => ({
    line,
    row: toRow(tx, project, purchase, line, held.get(revenueKey(purchase, line)), dollars),
  }))
  const fresh = wanted.filter(({ row }) => !held.has(row.revenueKey))
  const inserted =
    fresh.length === 0
      ? []
      : await insertTransactions(
          tx,
          fresh.map(({ row }) => row),
        )
  for (const { row } of wanted) await updateChanged(tx, held.get(row.revenueKey), row)
  await dropStale(
    tx,
    held,
    wanted.map(({ row }) => row.revenueKey),
  )
  return {
    rows: new Map(wanted.map(({ line, row }) => [line.key, row])),
    saved: wanted.filter(({ row }) => held.has(row.revenueKey) || inserted.includes(row.id)),
    newLines: fresh.filter(({ row }) => inserted.includes(row.id)).map(({ line }) => line),
  }
}

const revenueKey = ({ store }: Owner, { key }: TransactionLine): string => `${store}:${key}`

function toRow(
  tx: Tx,
  { catalog }: ProjectState,
  purchase: Owner,
  line: TransactionLine,
  held: TransactionRow | undefined,
  dollars: ReadonlyMap<string, number | null>,
): TransactionRow {
  const { id: purchaseId, projectId, subscriberId, store, environment } = purchase
  const { price } = line
  return {
    id: held?.id ?? tx.ids.next('txn'),
    projectId,
    purchaseId,
    subscriberId,
    store,
    environment,
    revenueKey: revenueKey(purchase, line),
    storeTransactionId: line.storeTransactionId,
    kind: line.kind,
    productId: findStoreProduct(catalog, line.storeProductId, store)?.id ?? null,
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
  ...(['kind', 'amountMicros', 'currency', 'usdMicros'] as const),
  ...(['productId', 'renewalNumber', 'occurredAt', 'quantity'] as const),
] as const

/**
 * The amounts in dollars of every charge that has a new line or a line with another amount or day, with all its lines.
 * The others keep theirs: when a rate changes, the slice of the conversions corrects them and keeps count.
 */
async function dollarsOfChanged(
  tx: Tx,
  purchase: Owner,
  held: ReadonlyMap<string, TransactionRow>,
  lines: readonly TransactionLine[],
): Promise<ReadonlyMap<string, number | null>> {
  const changed = new Set(
    lines
      .filter((line) => isMoneyChanged(held.get(revenueKey(purchase, line)), line))
      .map(({ storeTransactionId }) => storeTransactionId),
  )
  const affected = lines.filter(({ storeTransactionId }) => changed.has(storeTransactionId))
  const isAllDollars = affected.every(({ price }) => !price || price.currency === 'USD')
  return dollarsOf(affected, isAllDollars ? RateTable.EMPTY : await tx.state.exchangeRates.current(tx))
}

const isMoneyChanged = (held: TransactionRow | undefined, { price, occurredAt }: TransactionLine): boolean =>
  !held ||
  held.amountMicros !== (price?.amountMicros ?? null) ||
  held.currency !== (price?.currency ?? null) ||
  held.occurredAt !== occurredAt

async function updateChanged(tx: Tx, held: TransactionRow | undefined, row: TransactionRow): Promise<void> {
  if (held && COMPARED.some((column) => held[column] !== row[column])) await updateTransaction(tx, row.id, row)
}

async function dropStale(tx: Tx, held: ReadonlyMap<string, TransactionRow>, wanted: readonly string[]): Promise<void> {
  const stale = [...held.values()].filter((row) => !wanted.includes(row.revenueKey))
  if (stale.length > 0)
    await deleteTransactions(
      tx,
      stale.map(({ id }) => id),
    )
}

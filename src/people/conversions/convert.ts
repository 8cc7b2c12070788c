import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { startOf, toDate } from '../../projects/exchange-rates/day'
import type { RateTable } from '../../projects/exchange-rates/rate-table'
import { dollarsOf } from '../purchases/line-dollars'
import { chargePrefixOf } from '../purchases/line-scope'
import {
  type ConversionRow,
  type FoundLine,
  findConversion,
  findProjectAfter,
  findWaiting,
  type Line,
  listLinesAfter,
  listLinesByKey,
  listLinesOfPurchases,
  listPurchaseLocks,
  setDollars,
  touchPurchases,
  updateConversion,
} from './queries'
import { type Correction, tallied } from './tally'

/** Few enough that no receipt waits long for the transaction that saves them. */
const BATCH = 100

/**
 * Converts the stored transactions that an update of the exchange rates concerns: those without an amount in dollars, and
 * those whose amount came from an older rate. Goes through them in batches and saves with each how far it is, so a
 * stop loses nothing and counts nothing twice. The oldest update comes first.
 */
export async function convertWaiting(ctx: Context, isStopping: () => boolean): Promise<void> {
  for (let one = await findWaiting(ctx); one && !isStopping(); one = await findWaiting(ctx))
    await convertNext(ctx, one, isStopping)
}

async function convertNext(ctx: Context, row: ConversionRow, isStopping: () => boolean): Promise<void> {
  const batch = await findBatch(ctx, row, isStopping)
  if (batch === 'STOPPED') return
  if (batch === null) return finish(ctx, row)
  await ctx.write((tx) => convertBatch(tx, row, batch))
}

interface Batch {
  projectId: string
  found: readonly FoundLine[]
}

/** The next lines to look at, of the first project that has some; null when no project has any more. */
async function findBatch(
  ctx: Context,
  row: ConversionRow,
  isStopping: () => boolean,
): Promise<Batch | 'STOPPED' | null> {
  const { currencies, firstDay, occurredAt, transactionId } = row
  let [from, isWithin] = [row.projectId, transactionId !== '']
  for (;;) {
    const projectId = isWithin ? from : await findProjectAfter(ctx, from)
    if (projectId === null) return null
    const after = isWithin ? ([occurredAt, transactionId] as const) : ([startOf(firstDay), ''] as const)
    // Most transactions may be in other currencies, so finding some can take long.
    const read = (handle: Handle) => listLinesAfter(handle, projectId, currencies, after, BATCH)
    const found = await ctx.storage.readInThread(read, { group: projectId })
    if (found.length > 0) return { projectId, found }
    ;[from, isWithin] = [projectId, false]
    if (isStopping()) return 'STOPPED'
  }
}

/**
 * The lines of a batch were found before its transaction, so those of their charges are read again here, when nothing else
 * can change them.
 */
async function convertBatch(tx: Tx, seen: ConversionRow, { projectId, found }: Batch): Promise<void> {
  const row = await takeUp(tx, seen)
  if (!row) return
  if (tx.needsLocks) {
    const ids = new Set(found.map(({ purchaseId }) => purchaseId))
    for (const name of await listPurchaseLocks(tx, [...ids])) await tx.lock(name)
  }
  const lines = await linesOfCharges(tx, projectId, found)
  const corrections = correctionsOf(lines, await tx.state.exchangeRates.current(tx))
  await setDollars(tx, corrections)
  await finishChanged(tx, projectId, lines, corrections)
  const last = found.at(-1)
  await updateConversion(tx, row.id, {
    projectId,
    occurredAt: last?.occurredAt ?? 0,
    transactionId: last?.id ?? '',
    checked: row.checked + found.length,
    changed: row.changed + corrections.length,
    tallies: tallied(row.tallies, corrections),
  })
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction that changes amounts in dollars, once for each purchase whose money lines changed. */
    onConverted: (tx: Tx, projectId: string, purchaseId: string) => Promise<void>
  }
}

async function finishChanged(
  tx: Tx,
  projectId: string,
  lines: readonly Line[],
  corrections: readonly Correction[],
): Promise<void> {
  const changed = new Set(corrections.map(({ id }) => id))
  const purchaseIds = new Set(lines.filter(({ id }) => changed.has(id)).map(({ purchaseId }) => purchaseId))
  await touchPurchases(tx, [...purchaseIds], tx.clock.now())
  for (const onConverted of tx.hooks.onConverted ?? [])
    for (const purchaseId of purchaseIds) await onConverted(tx, projectId, purchaseId)
}

/** The conversion as it is now; null when another process has continued with it meanwhile. */
async function takeUp(tx: Tx, seen: ConversionRow): Promise<ConversionRow | null> {
  await tx.lock(`conversion:${seen.id}`)
  const row = await findConversion(tx, seen.id)
  const isSame = row?.projectId === seen.projectId && row.transactionId === seen.transactionId
  return row?.state === 'WAITING' && isSame ? row : null
}

/** Every line of the charges to which the lines belong. */
async function linesOfCharges(tx: Tx, projectId: string, found: readonly FoundLine[]): Promise<Line[]> {
  const prefixes = [...new Set(found.map(prefixOf))]
  if (prefixes.length === 0) return []
  const keys = prefixes.flatMap((prefix) => [`${prefix}CHARGE`, `${prefix}REFUND`])
  const firsts = await listLinesByKey(tx, projectId, keys)
  // Most charges have no refund, and a reversal has one before it.
  const returned = firsts.filter(({ revenueKey }) => revenueKey.endsWith(':REFUND'))
  const purchaseIds = new Set(returned.map(({ purchaseId }) => purchaseId))
  const ofReturned = await listLinesOfPurchases(tx, projectId, [...purchaseIds])
  const wanted = new Set(prefixes)
  const all = [...firsts, ...ofReturned].filter((line) => wanted.has(prefixOf(line)))
  return [...new Map(all.map((line) => [line.id, line])).values()]
}

const prefixOf = ({ revenueKey }: Pick<Line, 'revenueKey'>): string => chargePrefixOf(revenueKey)

function correctionsOf(lines: readonly Line[], rates: RateTable): Correction[] {
  const corrections: Correction[] = []
  for (const own of Map.groupBy(lines, prefixOf).values()) {
    const dollars = dollarsOf(own.map(toDollarLine), rates)
    for (const { id, currency, occurredAt, usdMicros: before, revenueKey } of own) {
      const after = dollars.get(revenueKey) ?? null
      if (after !== before && currency !== null) corrections.push({ id, currency, occurredAt, before, after })
    }
  }
  return corrections
}

const toDollarLine = ({ revenueKey: key, storeTransactionId, kind, occurredAt, amountMicros, currency }: Line) => ({
  ...{ key, storeTransactionId, kind, occurredAt },
  price: amountMicros === null || currency === null ? null : { amountMicros, currency },
})

async function finish(ctx: Context, seen: ConversionRow): Promise<void> {
  const done = await ctx.write(async (tx) => {
    const row = await takeUp(tx, seen)
    if (row) await updateConversion(tx, row.id, { state: 'DONE', finishedAt: tx.clock.now() })
    return row
  })
  if (!done || done.changed === 0) return
  const { id, checked, changed, firstDay } = done
  const currencies = Object.keys(done.tallies).sort().join()
  ctx.log.info('transactions were converted with new exchange rates', {
    ...{ update: id, from: toDate(firstDay), checked, changed, currencies },
  })
}

import type { Tx } from '../../base/context'
import { type Actor, SERVER_ACTOR } from '../audit/audit'
import { recordPlatformAudit } from '../audit/platform'
import { toDate } from './day'
import { insertUpdate, listDays, putDays } from './queries'
import type { RateSource } from './rate-table'
import type { RateDay } from './stored-rates'
import type { CorrectedRate } from './tables'

/** How many rates of a file were not known, are other ones now, and were known. */
export interface SavedRates {
  added: number
  corrected: number
  equal: number
}

/** What an update of the rates means for amounts that were converted before. */
export interface RateChange {
  /** The id of the update. */
  id: string
  /** Later updates have higher ones. */
  position: number
  /** Amounts of earlier days keep their rates. */
  firstDay: number
  currencies: readonly string[]
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Called in the transaction that changes rates. */
    onRatesChanged: (tx: Tx, change: RateChange) => Promise<void>
  }
}

interface Origin {
  source: RateSource
  actor: Actor
  /** The name of the file, for the audit log. */
  file: string | null
}

/** The most corrections that an update and the audit log name one by one. */
const MOST_NAMED = 500

/**
 * Saves rates of one source, in the caller's transaction. Rates that are stored and not among them stay. A rate that was
 * saved before and is another one now is corrected, and the audit log has both. Saving nothing new writes nothing.
 */
export async function saveRates(tx: Tx, origin: Origin, days: readonly RateDay[]): Promise<SavedRates> {
  await tx.lock('exchange-rates')
  const merged = await compare(tx, origin.source, days)
  if (merged.changed.length === 0) return countsOf(merged)
  const id = tx.ids.next('fxu')
  const [firstDay, lastDay] = spanOfDays(merged.changed)
  const currencies = [...merged.currencies].sort()
  const { added, corrected } = countsOf(merged)
  const position = await insertUpdate(tx, {
    ...{ id, source: origin.source, at: tx.clock.now(), added, corrected, firstDay, lastDay, currencies },
    corrections: merged.corrections.slice(0, MOST_NAMED),
  })
  await putDays(tx, origin.source, position, merged.changed)
  for (const changed of tx.hooks.onRatesChanged ?? []) await changed(tx, { id, position, firstDay, currencies })
  await audit(tx, origin, id, merged)
  return countsOf(merged)
}

interface Merged {
  /** Every day with a change, with the rates that it had and those that it gets. */
  changed: { day: number; rates: string }[]
  /** Whose price in dollars changes. */
  currencies: Set<string>
  added: number
  equal: number
  corrections: CorrectedRate[]
}

const countsOf = ({ added, equal, corrections }: Merged): SavedRates => ({
  added,
  corrected: corrections.length,
  equal,
})

async function compare(tx: Tx, source: RateSource, days: readonly RateDay[]): Promise<Merged> {
  const merged: Merged = { changed: [], currencies: new Set(), added: 0, equal: 0, corrections: [] }
  if (days.length === 0) return merged
  const stored = await listDays(tx, source, ...spanOfDays(days))
  const held = new Map(stored.map(({ day, rates }) => [day, rates]))
  for (const { day, rates } of days) {
    const text = held.get(day)
    if (text === undefined) addDay(merged, day, rates)
    else compareDay(merged, source, day, parseDay(text), rates)
  }
  if (source === 'ECB' && merged.changed.length > 0) merged.currencies.add('EUR')
  merged.currencies.delete('USD')
  return merged
}

/** Most days of a file are new, in the whole history all. */
function addDay(merged: Merged, day: number, rates: RateDay['rates']): void {
  for (const currency in rates) {
    merged.added++
    merged.currencies.add(currency)
  }
  merged.changed.push({ day, rates: JSON.stringify(rates) })
}

function compareDay(
  merged: Merged,
  source: RateSource,
  day: number,
  held: RateDay['rates'],
  rates: RateDay['rates'],
): void {
  const altered = Object.entries(rates).filter(([currency, after]) => held[currency] !== after)
  merged.equal += Object.keys(rates).length - altered.length
  if (altered.length === 0) return
  merged.changed.push({ day, rates: JSON.stringify({ ...held, ...rates }) })
  for (const [currency, after] of altered) {
    const before = held[currency]
    if (before === undefined) merged.added++
    else merged.corrections.push({ date: toDate(day), currency, before, after })
    merged.currencies.add(currency)
  }
  // Units per euro: with the dollar, the price in dollars of every currency of the day changes.
  if (source === 'ECB' && altered.some(([currency]) => currency === 'USD'))
    for (const currency of Object.keys(held)) merged.currencies.add(currency)
}

const parseDay = (text: string) => JSON.parse(text) as RateDay['rates'] // Only `saveRates` writes it.

function spanOfDays(days: readonly { day: number }[]): [first: number, last: number] {
  const sorted = days.map(({ day }) => day).sort((a, b) => a - b)
  return [sorted[0] ?? 0, sorted.at(-1) ?? 0]
}

/** Loading is a person's decision, so it is in the audit log; what is fetched is only there when it corrects a rate. */
async function audit(tx: Tx, { source, actor, file }: Origin, id: string, merged: Merged): Promise<void> {
  const isLoaded = actor !== SERVER_ACTOR
  if (!isLoaded && merged.corrections.length === 0) return
  const named = merged.corrections.slice(0, MOST_NAMED)
  const listed = (which: 'before' | 'after') =>
    named.map(({ date, currency, ...one }) => ({ date, currency, rate: one[which] }))
  const counts = { source, ...(file !== null && { file }), ...countsOf(merged) }
  await recordPlatformAudit(tx, actor, {
    action: isLoaded ? 'exchange_rates.load' : 'exchange_rates.correct',
    target: { type: 'exchange_rates', id },
    before: named.length === 0 ? null : { rates: listed('before') },
    after: { ...counts, ...(named.length > 0 && { rates: listed('after') }) },
  })
}

import type { Context } from '../../base/context'
import { OutgoingCalls, type OutgoingResult } from '../../base/http/outgoing'
import { MINUTE } from '../../base/lib/clock'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
import { SERVER_ACTOR } from '../audit/audit'
import type { FileRate } from './csv-file'
import { dayOf, toDate } from './day'
import { ecbDays } from './ecb-file'
import { RateFileFault } from './file-fault'
import { refuseImplausible } from './plausible'
import { findFetch, findNewestDay, putFetch } from './queries'
import type { RateTable } from './rate-table'
import { type SavedRates, saveRates } from './save'
import { fileFor, isDue, type RateFileKind } from './schedule'
import { dollarRates, type RateDay, toEuroRow } from './stored-rates'

/** The whole history has about 9 MB. */
const LIMITS = { timeoutMs: MINUTE, maxBytes: 32 * 1024 * 1024 }

/**
 * Fetches the central bank's rates when some are missing. A file that cannot be had, or that cannot be right, changes
 * nothing; the reason is stored and, when it is a new one, logged. Never throws for a fault of the other side.
 */
export async function fetchRates(ctx: Context): Promise<void> {
  const { ratesUrl } = ctx.config
  if (ratesUrl === null) return
  const [newest, last] = await Promise.all([findNewestDay(ctx, 'ECB'), findFetch(ctx, 'ECB')])
  const now = ctx.clock.now()
  if (!isDue(now, newest, last)) return
  const result = await readPublished(ctx, addressOf(ratesUrl, fileFor(now, newest)))
  if ('fault' in result) return failed(ctx, result.fault)
  const saved = await ctx.write(async (tx) => {
    await putFetch(tx, { source: 'ECB', triedAt: now, succeededAt: now, fault: null })
    return saveRates(tx, { source: 'ECB', actor: SERVER_ACTOR, file: null }, result.days)
  })
  report(ctx, saved, result.days)
}

/** The setting is the address of one file, or of the folder with the files as the central bank names them. */
export const addressOf = (setting: string, kind: RateFileKind): string =>
  /\.xml$/i.test(URL.parse(setting)?.pathname ?? '') ? setting : `${setting}/eurofxref-${kind}.xml`

type Published = { days: RateDay[] } | { fault: string }

async function readPublished(ctx: Context, address: string): Promise<Published> {
  // The operator of the server set the address, so a server on this machine is as good as any.
  const answer = await new OutgoingCalls({ isLoopbackAllowed: true }).call(address, {}, LIMITS)
  const fault = faultOf(answer)
  if (fault !== null || !answer.ok) return { fault: fault ?? 'no answer' }
  try {
    const known = await ctx.state.exchangeRates.current(ctx)
    return { days: await readDays(answer.body, dayOf(ctx.clock.now()), known) }
  } catch (error) {
    if (error instanceof RateFileFault) return { fault: `the file is refused: ${error.message}` }
    throw error
  }
}

const ANSWER_FAULTS: Readonly<Record<string, string>> = {
  ...URL_FAULTS,
  timeout: 'no answer within a minute',
  unreachable: 'the server cannot be reached',
  unresolvable: 'the server cannot be reached',
  too_large: 'the file is larger than 32 MiB',
}

function faultOf(answer: OutgoingResult): string | null {
  if (!answer.ok) return ANSWER_FAULTS[answer.reason] ?? answer.reason
  return answer.status === 200 ? null : `the server answers ${answer.status}`
}

/** Days that are read before other work gets its turn: the whole history takes a tenth of a second. */
const DAYS_PER_TURN = 250

async function readDays(body: Uint8Array, today: number, known: RateTable): Promise<RateDay[]> {
  const days: RateDay[] = []
  const rates: FileRate[] = []
  for (const day of ecbDays(textOf(body), today)) {
    days.push(toEuroRow(day))
    rates.push(...dollarRates(day))
    if (days.length % DAYS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  refuseImplausible(rates, known)
  return days
}

/** The text of a file. Bytes that are no UTF-8 are refused. */
export function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new RateFileFault('it is no text in UTF-8')
  }
}

async function failed(ctx: Context, fault: string): Promise<void> {
  const before = await findFetch(ctx, 'ECB')
  const triedAt = ctx.clock.now()
  await ctx.write((tx) => putFetch(tx, { source: 'ECB', triedAt, succeededAt: before?.succeededAt ?? null, fault }))
  if (before?.fault !== fault) ctx.log.warn('exchange rates could not be fetched', { reason: fault })
}

function report(ctx: Context, { added, corrected }: SavedRates, days: readonly RateDay[]): void {
  const newest = days.reduce((latest, { day }) => Math.max(latest, day), 0)
  if (corrected > 0) ctx.log.warn('the published exchange rates of earlier days have changed', { corrected })
  if (added > 0) ctx.log.info('exchange rates were fetched', { added, newest: toDate(newest) })
}

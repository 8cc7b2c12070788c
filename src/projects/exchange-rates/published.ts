import type { Context } from '../../base/context'
import { OutgoingCalls, type OutgoingResult } from '../../base/http/outgoing'
import { MINUTE } from '../../base/lib/clock'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
import { dayOf } from './day'
import { ecbDays } from './ecb-file'
import { RateFileFault, textOf } from './file-fault'
import { Plausibility } from './plausible'
import type { RateTable } from './rate-table'
import type { RateFileKind } from './schedule'
import { dollarRates, type RateDay, toEuroRow } from './stored-rates'

/** The whole history has about 9 MB. */
const LIMITS = { timeoutMs: MINUTE, maxBytes: 32 * 1024 * 1024 }

/** The setting is the address of one file, or of the folder with the files as the central bank names them. */
export const addressOf = (setting: string, kind: RateFileKind): string =>
  /\.xml$/i.test(URL.parse(setting)?.pathname ?? '') ? setting : `${setting}/eurofxref-${kind}.xml`

type Published = { days: RateDay[] } | { fault: string }

/** The days of the file at an address, or why it brings none. Nothing is saved. */
export async function readPublished(ctx: Context, address: string): Promise<Published> {
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

/** Days that are read before other work gets its turn: the whole history takes half a second. */
const DAYS_PER_TURN = 250

async function readDays(body: Uint8Array, today: number, known: RateTable): Promise<RateDay[]> {
  const days: RateDay[] = []
  const plausibility = new Plausibility(known)
  for (const day of ecbDays(textOf(body), today)) {
    days.push(toEuroRow(day))
    for (const one of dollarRates(day)) plausibility.check(one)
    if (days.length % DAYS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return days
}

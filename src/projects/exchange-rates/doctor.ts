import { type Check, type Examination, type Examined, ok, warnOf } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import { toDate } from './day'
import { findFetch } from './queries'
import { isStale } from './schedule'
import { newestDay } from './status'

const NAME = 'exchange rates'

/** Whether there are rates, and whether they are recent. */
export const rateExamination: Examination = {
  name: 'exchange-rates',
  database: async (examined) => [await check(examined)],
}

async function check({ handle, config, now }: Examined): Promise<Check> {
  const newest = await newestDay(handle)
  const fault = config.ratesUrl === null ? null : ((await findFetch(handle, 'ECB'))?.fault ?? null)
  const why = fault === null ? '' : ` The last fetch failed: ${fault}.`
  if (newest === null)
    return fault === null
      ? ok(NAME, noneYet(config.ratesUrl))
      : warnOf(NAME, finding('RATES_NONE', { fault }, `${NONE}${why} ${LOAD}`))
  if (isStale(now, newest))
    return warnOf(
      NAME,
      stale(toDate(newest), fault, `The newest is of ${toDate(newest)}, more than 72 hours ago.${why} ${LOAD}`),
    )
  return ok(NAME, `The newest is of ${toDate(newest)}.${why}`)
}

const stale = (day: string, fault: string | null, sentence: string): Finding =>
  fault === null ? finding('RATES_STALE', { day }, sentence) : finding('RATES_STALE_FAULT', { day, fault }, sentence)

const NONE = 'There are none, so amounts in other currencies have no amount in USD.'
const LOAD = 'Check SVC_FX_URL, or load a file: svc rates load FILE'

const noneYet = (url: string | null): string =>
  url === null
    ? `${NONE} SVC_FX_URL is off; a file can be loaded: svc rates load FILE`
    : `${NONE} A server fetches them.`

import type { Handle } from '../../base/db/handle'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { toDate } from '../../projects/exchange-rates/day'
import type { ConversionReport, RateUse } from '../../projects/exchange-rates/status'
import { type ConversionRow, countUnconverted, listConversions } from './queries'

const SHOWN = 10

/** What the exchange rates are used for: which transactions wait for one, and what the last conversions altered. */
export const conversionUse = async (handle: Handle): Promise<RateUse> => ({
  waiting: await countUnconverted(handle),
  conversions: (await listConversions(handle, SHOWN)).map(toReport),
})

const toReport = (row: ConversionRow): ConversionReport => ({
  updateId: row.id,
  state: row.state,
  from: toDate(row.firstDay),
  startedAt: toIso(row.startedAt),
  finishedAt: toIsoOrNull(row.finishedAt),
  checked: row.checked,
  changed: row.changed,
  currencies: Object.entries(row.tallies)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { firstDay, lastDay, before, after, ...counts }]) => ({
      ...{ currency, ...counts, firstDay: toDate(firstDay), lastDay: toDate(lastDay) },
      ...{ usdMicrosBefore: before, usdMicrosAfter: after },
    })),
})

import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { localDays } from '../../base/lib/local-days'
import { type DueRenewals, dueRenewals } from '../../people/purchases/figure-queries'
import { dayOf, toDate } from '../../projects/exchange-rates/day'
import type { RateTable } from '../../projects/exchange-rates/rate-table'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'

export interface RenewalDay {
  date: string
  renewals: number
  amountMicros: number
  /** Renewals of the day whose price has no exchange rate; they are counted, but their amounts are not. */
  unconverted: number
}

export interface RenewalCalendar {
  days: RenewalDay[]
  /** The same of all days. */
  unconverted: number
}

const CALENDAR_DAYS = 30

/** The next renewals of the subscriptions that will renew within 30 days of the project's calendar, today included. */
export async function renewalsAhead(
  ctx: Context,
  { id: projectId, timezone }: ProjectState,
  environment: PurchaseEnvironment,
): Promise<RenewalCalendar> {
  const now = ctx.clock.now()
  const calendar = localDays(timezone)
  const today = calendar.dayOf(now)
  const end = calendar.startOf(today + CALENDAR_DAYS)
  const rates = await ctx.state.exchangeRates.current(ctx)
  const read = (handle: Handle) => dueRenewals(handle, { projectId, environment }, now, end)
  const due = await ctx.storage.readInThread(read, { group: projectId })
  const byDay = Map.groupBy(due, ({ from }) => calendar.dayOf(Math.max(from, now)))
  const days = Array.from({ length: CALENDAR_DAYS }, (_, index) => {
    const day = today + index
    return { date: toDate(day), ...summed(byDay.get(day) ?? [], rates, dayOf(now)) }
  })
  return { days, unconverted: days.reduce((sum, { unconverted }) => sum + unconverted, 0) }
}

/** Each currency is converted once, by its newest rate. */
function summed(due: readonly DueRenewals[], rates: RateTable, rateDay: number) {
  const found = { renewals: 0, amountMicros: 0, unconverted: 0 }
  for (const [currency, own] of Map.groupBy(due, (one) => one.currency)) {
    const count = own.reduce((sum, one) => sum + one.count, 0)
    found.renewals += count
    if (currency === null) continue
    const micros = own.reduce((sum, one) => sum + one.micros, 0)
    const dollars = rates.toUsd(micros, currency, rateDay)
    if (dollars === null) found.unconverted += count
    else found.amountMicros += dollars
  }
  return found
}

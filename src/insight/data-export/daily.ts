import { DAY, HOUR, MINUTE } from '../../base/lib/clock'

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

export const DEFAULT_DAILY_AT = '02:00'

export const isDailyAt = (text: string): boolean => TIME.test(text)

/** The first instant after `now` at which a clock in UTC shows this time (`HH:MM`). */
export function nextDaily(now: number, dailyAt: string): number {
  const [, hour = '0', minute = '0'] = TIME.exec(dailyAt) ?? []
  const today = Math.floor(now / DAY) * DAY + Number(hour) * HOUR + Number(minute) * MINUTE
  return today > now ? today : today + DAY
}

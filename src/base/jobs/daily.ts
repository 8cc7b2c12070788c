import { Type } from '@sinclair/typebox'
import type { Kit } from '../db/kit'
import { DAY, HOUR, MINUTE } from '../lib/clock'

// One definition of what people schedule for a time of each day.

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

export const DEFAULT_DAILY_AT = '02:00'

/** The time on the wire. `dailyAtFaults` checks it. */
export const DailyAt = Type.String({ maxLength: 5, description: `HH:MM, UTC. Default: ${DEFAULT_DAILY_AT}` })

export const dailyAtFaults = (dailyAt: string): { path: string; message: string }[] =>
  TIME.test(dailyAt) ? [] : [{ path: 'dailyAt', message: `dailyAt must be a time of day like ${DEFAULT_DAILY_AT}` }]

/** The columns of a schedule with a time of day. */
export const dailyColumns = (k: Kit) => ({
  /** `HH:MM`, UTC. */
  dailyAt: k.str().notNull(),
  isEnabled: k.bool().notNull(),
  nextRunAt: k.int().notNull(),
})

/** The first instant after `now` at which a clock in UTC shows this time (`HH:MM`). */
export function nextDaily(now: number, dailyAt: string): number {
  const [, hour = '0', minute = '0'] = TIME.exec(dailyAt) ?? []
  const today = Math.floor(now / DAY) * DAY + Number(hour) * HOUR + Number(minute) * MINUTE
  return today > now ? today : today + DAY
}

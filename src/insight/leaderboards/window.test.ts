import { expect, test } from 'bun:test'
import { toIso } from '../../base/lib/time'
import type { LeaderboardWindow } from './model'
import { windowStart } from './window'

const start = (window: LeaderboardWindow, timezone: string, now: string): string | null => {
  const from = windowStart(window, timezone, Date.parse(now))
  return from === null ? null : toIso(from)
}

const cases: [fact: string, window: LeaderboardWindow, timezone: string, now: string, from: string | null][] = [
  ['all has no beginning', 'all', 'UTC', '2026-11-20T08:00:00Z', null],
  ['a day', 'day', 'UTC', '2026-11-20T08:00:00Z', '2026-11-20T00:00:00.000Z'],
  ['the first instant of a day is of it', 'day', 'UTC', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00.000Z'],
  ['the last instant of a day is of it', 'day', 'UTC', '2026-11-20T23:59:59.999Z', '2026-11-20T00:00:00.000Z'],
  ['a day that is tomorrow in UTC', 'day', 'Asia/Tokyo', '2026-11-20T16:00:00Z', '2026-11-20T15:00:00.000Z'],
  ['a week begins on Monday', 'week', 'UTC', '2026-11-22T23:00:00Z', '2026-11-16T00:00:00.000Z'],
  ['on a Monday it has begun', 'week', 'UTC', '2026-11-23T00:00:00Z', '2026-11-23T00:00:00.000Z'],
  ['a week over the end of a year', 'week', 'UTC', '2027-01-01T12:00:00Z', '2026-12-28T00:00:00.000Z'],
  ['a week over a change of clocks', 'week', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-22T23:00:00.000Z'],
  ['a month', 'month', 'Europe/Berlin', '2026-03-31T21:59:59Z', '2026-02-28T23:00:00.000Z'],
  [
    'the next month has begun where it is later',
    'month',
    'Europe/Berlin',
    '2026-03-31T22:00:00Z',
    '2026-03-31T22:00:00.000Z',
  ],
  ['half hours', 'month', 'Asia/Kolkata', '2026-11-20T08:00:00Z', '2026-10-31T18:30:00.000Z'],
]
for (const [fact, window, timezone, now, from] of cases)
  test(fact, () => expect(start(window, timezone, now)).toBe(from))

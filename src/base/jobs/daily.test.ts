import { expect, test } from 'bun:test'
import { DAY, HOUR } from '../lib/clock'
import { dailyAtFaults, nextDaily } from './daily'

const MORNING = Date.UTC(2028, 1, 29, 8, 0, 0)

const cases: [at: string, fromMorningMs: number][] = [
  ['09:30', 1.5 * HOUR],
  ['08:01', HOUR / 60],
  ['08:00', DAY],
  ['00:00', 16 * HOUR],
  ['23:59', 16 * HOUR - HOUR / 60],
]
for (const [at, ms] of cases)
  test(`the next ${at} after 08:00`, () => expect(nextDaily(MORNING, at) - MORNING).toBe(ms))

test('a time of day has two digits for each part', () => {
  for (const text of ['00:00', '23:59']) expect([text, dailyAtFaults(text)]).toEqual([text, []])
  for (const text of ['24:00', '7:00', '07:60', '07:00:00', '', ' 07:00', '07:00\n'])
    expect([text, dailyAtFaults(text)]).toEqual([
      text,
      [{ path: 'dailyAt', message: 'dailyAt must be a time of day like 02:00' }],
    ])
})

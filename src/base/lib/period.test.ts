import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from './clock'
import { addPeriod, isPeriod } from './period'
import { toIso } from './time'

const SEED = 20261120

const cases: [from: string, period: string, to: string][] = [
  ['2026-01-31T08:00:00.000Z', 'P1M', '2026-02-28T08:00:00.000Z'],
  ['2028-01-31T08:00:00.000Z', 'P1M', '2028-02-29T08:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', 'P1Y', '2029-02-28T23:59:59.999Z'],
  ['2028-02-29T00:00:00.000Z', 'P4Y', '2032-02-29T00:00:00.000Z'],
  ['2026-08-31T12:00:00.000Z', 'P3M', '2026-11-30T12:00:00.000Z'],
  ['2026-11-30T12:00:00.000Z', 'P3M', '2027-02-28T12:00:00.000Z'],
  ['2026-12-15T00:00:00.001Z', 'P1M', '2027-01-15T00:00:00.001Z'],
  ['2026-11-20T08:00:00.000Z', 'P1W', '2026-11-27T08:00:00.000Z'],
  ['2026-12-31T08:00:00.000Z', 'P1D', '2027-01-01T08:00:00.000Z'],
  ['2026-01-31T08:00:00.000Z', 'P1M1D', '2026-03-01T08:00:00.000Z'],
  ['2026-11-20T08:00:00.000Z', 'P1Y2M3W4D', '2028-02-14T08:00:00.000Z'],
  ['2026-11-20T08:00:00.000Z', 'P0D', '2026-11-20T08:00:00.000Z'],
]
for (const [from, period, to] of cases)
  test(`${from.slice(0, 10)} + ${period} = ${to.slice(0, 10)}`, () => {
    expect(toIso(addPeriod(Date.parse(from), period))).toBe(to)
  })

test('anything but whole years, months, weeks and days is no period', () => {
  for (const text of [
    '',
    'P',
    'P1',
    '1M',
    'p1m',
    'PT1H',
    'P1MT1H',
    'P1.5M',
    'P-1M',
    'P1D1M',
    ' P1M',
    'P1M\n',
    'P10000Y',
  ]) {
    expect(isPeriod(text)).toBe(false)
    expect(() => addPeriod(0, text)).toThrow(RangeError)
  }
})

const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
const counts = fc.integer({ min: 0, max: 1200 })

test('n months later is n months on in the calendar, at the same time of the same day or the last one', () => {
  const months = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth()
  const law = (instant: number, count: number): void => {
    const before = new Date(instant)
    const after = new Date(addPeriod(instant, `P${count}M`))
    const isLastDay = new Date(after.getTime() + DAY).getUTCDate() === 1
    expect(months(after) - months(before)).toBe(count)
    expect(after.getTime() % DAY).toBe(instant % DAY)
    if (after.getUTCDate() !== before.getUTCDate()) expect(isLastDay).toBe(true)
    expect(after.getUTCDate()).toBeLessThanOrEqual(before.getUTCDate())
  }
  fc.assert(fc.property(instants, counts, law), { seed: SEED, numRuns: 1000 })
})

test('12 months are a year and 7 days a week', () => {
  const few = fc.integer({ min: 0, max: 800 })
  const law = (instant: number, count: number): void => {
    expect(addPeriod(instant, `P${count * 12}M`)).toBe(addPeriod(instant, `P${count}Y`))
    expect(addPeriod(instant, `P${count * 7}D`)).toBe(addPeriod(instant, `P${count}W`))
  }
  fc.assert(fc.property(instants, few, law), { seed: SEED, numRuns: 1000 })
})

// Both are cut to the same last day, so 30 January 18:00 and 31 January 08:00 change their order, but never by a whole
// day.
test('the later of two instants stays the later one, to the day', () => {
  const law = (a: number, b: number, count: number): void => {
    const gap = addPeriod(Math.max(a, b), `P${count}M`) - addPeriod(Math.min(a, b), `P${count}M`)
    expect(gap).toBeGreaterThan(-DAY)
  }
  const close = fc
    .tuple(instants, fc.integer({ min: 0, max: 4 * DAY }))
    .map(([a, ahead]): [number, number] => [a, a + ahead])
  fc.assert(
    fc.property(fc.oneof(close, fc.tuple(instants, instants)), counts, ([a, b], count) => law(a, b, count)),
    {
      seed: SEED,
      numRuns: 1000,
    },
  )
})

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { localDays } from '../../base/lib/local-days'
import { fastMonths } from './fast-months'

const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Apia']

test.each(ZONES)('months of instants of %s are those of the calendar', (zone) => {
  const days = localDays(zone)
  const fast = fastMonths(days)
  const at = fc.integer({ min: Date.UTC(2011, 10, 1), max: Date.UTC(2027, 0, 1) })
  const law = fc.property(at, fc.integer({ min: 0, max: 37 }), (instant, months) => {
    expect(fast.plusMonths(instant, months)).toBe(days.plusMonths(instant, months))
  })
  fc.assert(law, { seed: 5, numRuns: 3000 })
  // The last day of a month, and around the changes of the clocks.
  for (const text of ['2024-01-31T23:30:00Z', '2024-03-31T00:59:59Z', '2024-10-27T00:30:00Z', '2024-11-03T04:30:00Z'])
    for (let months = 0; months <= 37; months++)
      expect(fast.plusMonths(Date.parse(text), months)).toBe(days.plusMonths(Date.parse(text), months))
})

import { expect, test } from 'bun:test'
import { DAY } from '../../../base/lib/clock'
import { localDays } from '../../../base/lib/local-days'
import { offsetsOf } from './zones'

const hours = (timezone: string, at: string): number => {
  const instant = Date.parse(at)
  const found = offsetsOf(timezone).find(({ until }) => until === null || instant < until)
  return (found?.ms ?? Number.NaN) / 3_600_000
}

test.each([
  ['UTC', '2026-07-01T00:00:00Z', 0],
  ['Asia/Tokyo', '2026-07-01T00:00:00Z', 9],
  ['Asia/Kathmandu', '2026-07-01T00:00:00Z', 5.75],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', 1],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 2],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', 2],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 1],
  ['Europe/Istanbul', '2016-01-01T00:00:00Z', 2],
  ['Europe/Istanbul', '2026-01-01T00:00:00Z', 3],
  ['Africa/Casablanca', '2026-03-01T00:00:00Z', 0],
  ['Africa/Casablanca', '2026-06-01T00:00:00Z', 1],
])('%s at %s is %d hours ahead', (timezone, at, ahead) => expect(hours(timezone, at)).toBe(ahead))

test('the offsets are those of the runtime at every second day, in every kind of zone', () => {
  for (const timezone of [
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Sao_Paulo',
    'Pacific/Apia',
    'Asia/Tehran',
  ]) {
    const { wallOf } = localDays(timezone)
    const offsets = offsetsOf(timezone)
    for (let at = Date.UTC(2005, 0, 1); at < Date.UTC(2030, 0, 1); at += 2 * DAY + 3_600_000) {
      const found = offsets.find(({ until }) => until === null || at < until)
      if (found?.ms !== wallOf(at) - at) expect([timezone, at, found?.ms]).toEqual([timezone, at, wallOf(at) - at])
    }
  }
})

import type { Reader } from './config-reader'
import { SECOND } from './lib/clock'

const MOST_OFFSET_SECONDS = 3_000_000_000

/** By how many milliseconds tests move the clock. In development only: a server that people rely on never has another time than theirs. */
export function readClockOffset(read: Reader): number {
  const given = read.text('SVC_TEST_CLOCK_OFFSET')
  if (given === undefined) return 0
  if (read.oneOf('SVC_MODE') !== 'development')
    read.fault('SVC_TEST_CLOCK_OFFSET', given, 'unset, unless SVC_MODE is development')
  const seconds = /^[+-]?\d{1,10}$/.test(given) ? Number(given) : Number.NaN
  if (Math.abs(seconds) <= MOST_OFFSET_SECONDS) return seconds * SECOND
  read.fault('SVC_TEST_CLOCK_OFFSET', given, `a whole number of seconds, at most ${MOST_OFFSET_SECONDS} either way`)
  return 0
}

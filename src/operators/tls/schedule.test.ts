import { describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../base/lib/clock'
import { alertStage, backOffMs, nextRenewal, renewalTime, timeInWindow } from './schedule'
import { healthyAfterFailure, healthyAfterSuccess, isStrict } from './strict'

const NOW = Date.UTC(2026, 10, 20)
const life = (days: number, from = NOW) => ({ notBefore: from, notAfter: from + days * DAY })

describe('renewal', () => {
  test.each([
    [90, 60],
    [45, 30],
    [10, 10 - 10 / 3],
    [9, 4.5],
    [6, 3],
  ])('a certificate of %d days is renewed after %d days', (days, after) =>
    expect(renewalTime(life(days))).toBe(Math.floor(NOW + after * DAY)),
  )

  test('the suggested window decides, and never after the end of the certificate', () => {
    const window = { start: NOW + DAY, end: NOW + 3 * DAY }
    expect(timeInWindow(window, life(90), 0)).toBe(NOW + DAY)
    expect(timeInWindow(window, life(90), 0.5)).toBe(NOW + 2 * DAY)
    expect(timeInWindow(window, life(1), 0.9)).toBe(NOW + DAY - HOUR)
  })

  test('an order never follows an order within an hour, whatever the clock says', () => {
    expect(nextRenewal(NOW - 365 * DAY, NOW)).toBe(NOW + HOUR)
    expect(nextRenewal(NOW + 60 * DAY, NOW)).toBe(NOW + 60 * DAY)
  })
})

describe('failures', () => {
  test('wait 1 h, 3 h, 12 h, then 24 h', () =>
    expect([1, 2, 3, 4, 5, 100].map((count) => backOffMs(count) / HOUR)).toEqual([1, 3, 12, 24, 24, 24]))

  test('wait as long as the authority asks for, at most a week, and never shorter', () => {
    expect(backOffMs(1, 5 * HOUR)).toBe(5 * HOUR)
    expect(backOffMs(1, 1000)).toBe(HOUR)
    expect(backOffMs(1, 400 * DAY)).toBe(7 * DAY)
  })
})

describe('alerts', () => {
  test.each([
    [0, 0],
    [67, 0],
    [67.5, 1],
    [78, 1],
    [78.75, 2],
    [89.9, 2],
    [90, 3],
    [200, 3],
  ] as const)('after %d of 90 days the stage is %d', (days, stage) =>
    expect(alertStage(life(90), NOW + days * DAY)).toBe(stage),
  )
})

describe('HSTS', () => {
  test('begins after the first day without a failure', () => {
    const since = healthyAfterSuccess(null, NOW)
    expect(isStrict(since, NOW + DAY - 1)).toBe(false)
    expect(isStrict(since, NOW + DAY)).toBe(true)
    expect(isStrict(null, NOW + 100 * DAY)).toBe(false)
  })

  test('a failure on the first day starts it anew; a later one does not', () => {
    expect(healthyAfterFailure(NOW, NOW + HOUR)).toBeNull()
    expect(healthyAfterFailure(NOW, NOW + 2 * DAY)).toBe(NOW)
    expect(healthyAfterFailure(null, NOW)).toBeNull()
    expect(healthyAfterSuccess(NOW, NOW + DAY)).toBe(NOW)
  })
})

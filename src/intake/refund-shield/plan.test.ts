import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import type { ApiResult } from '../../stores/ios/api-client-answer'
import {
  type Attempt,
  afterAttempt,
  type ConsumptionRequest,
  deadlineOf,
  isInTime,
  MAX_JITTER_MS,
  planAnswer,
  type RefundShieldStep,
} from './plan'
import { DEFAULT_REFUND_SHIELD, type RefundShieldSettings, readRefundShield } from './settings'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120
const settings: RefundShieldSettings = { ...DEFAULT_REFUND_SHIELD, enabled: true, customerConsented: true }
const asked: ConsumptionRequest = { askedAt: NOW, detectedAt: NOW, isKnown: true }

describe('when it is said', () => {
  test('after the delay, and within twelve hours', () => {
    expect(planAnswer(settings, asked)).toEqual({ status: 'PENDING', dueAt: NOW + HOUR })
    expect(deadlineOf(NOW)).toBe(NOW + 12 * HOUR)
  })

  test('after the delay from when it came, when the store had to tell it again', () => {
    const late = { ...asked, detectedAt: NOW + 12 * HOUR }
    expect(planAnswer(settings, late)).toEqual({ status: 'PENDING', dueAt: NOW + 13 * HOUR })
  })

  test('never, when it comes after the store has decided', () => {
    const late = { ...asked, detectedAt: NOW + 12 * HOUR + 1 }
    expect(planAnswer(settings, late)).toEqual({ status: 'FAILED', error: 'SLA_EXCEEDED' })
  })

  const delays: [delayMinutes: number, due: number][] = [
    [0, 0],
    [1, MINUTE],
    [660, 11 * HOUR],
    [661, 11 * HOUR],
    [-5, 0],
  ]
  for (const [delayMinutes, due] of delays)
    test(`a delay of ${delayMinutes} minutes is due after ${due / MINUTE}`, () => {
      expect(planAnswer({ ...settings, delayMinutes }, asked)).toMatchObject({ dueAt: NOW + due })
    })

  const skipped: [name: string, changes: Partial<RefundShieldSettings>, isKnown: boolean, status: string][] = [
    ['the shield is off', { enabled: false }, true, 'SKIPPED_DISABLED'],
    ['customers did not consent', { customerConsented: false }, true, 'SKIPPED_DISABLED'],
    ['the transaction is not known', {}, false, 'SKIPPED_NOT_FOUND'],
    ['the shield is off and the transaction not known', { enabled: false }, false, 'SKIPPED_DISABLED'],
  ]
  for (const [name, changes, isKnown, status] of skipped)
    test(`never, when ${name}`, () => {
      expect(planAnswer({ ...settings, ...changes }, { ...asked, isKnown })).toEqual({ status } as ReturnType<
        typeof planAnswer
      >)
    })

  test('the default is off', () => {
    expect(planAnswer(DEFAULT_REFUND_SHIELD, asked)).toEqual({ status: 'SKIPPED_DISABLED' })
  })

  test('the deadline itself is in time, a millisecond later is not', () => {
    expect([isInTime(NOW, NOW), isInTime(NOW, NOW + 1)]).toEqual([true, false])
  })
})

describe('after an attempt', () => {
  const UNAVAILABLE: ApiResult<null> = { ok: false, kind: 'unavailable' }
  const deadlineAt = NOW + 12 * HOUR
  const after = (result: ApiResult<null>, attempt: Partial<Attempt> = {}): RefundShieldStep =>
    afterAttempt(result, { attempts: 1, deadlineAt, now: NOW, jitterMs: 0, ...attempt })

  test('that was taken it is sent', () => {
    expect(after({ ok: true, value: null })).toEqual({ status: 'SENT' })
    expect(after({ ok: true, value: null }, { now: deadlineAt + 1 })).toEqual({ status: 'SENT' })
  })

  for (const status of [200, 400, 401, 403, 404, 410])
    test(`that was refused with ${status} it is final`, () => {
      expect(after({ ok: false, kind: 'rejected', status, errorCode: null })).toEqual({
        status: 'FAILED',
        error: 'REJECTED',
      })
    })

  const waits: [attempts: number, wait: number][] = [
    [1, MINUTE],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 6 * HOUR],
  ]
  for (const [attempts, wait] of waits)
    test(`number ${attempts} that failed the next comes after ${wait / MINUTE} minutes, and some seconds`, () => {
      expect(after(UNAVAILABLE, { attempts })).toEqual({ status: 'PENDING', dueAt: NOW + wait })
      const dueAt = NOW + wait + MAX_JITTER_MS
      expect(after(UNAVAILABLE, { attempts, jitterMs: MAX_JITTER_MS })).toEqual({ status: 'PENDING', dueAt })
    })

  test('number 6 that failed there is no other', () => {
    expect(after(UNAVAILABLE, { attempts: 6 })).toEqual({ status: 'FAILED', error: 'RETRIES_EXHAUSTED' })
  })

  test('the store may ask for a longer wait, never for a shorter one', () => {
    expect(after({ ...UNAVAILABLE, retryAfter: 90 })).toEqual({ status: 'PENDING', dueAt: NOW + 90 * SECOND })
    expect(after({ ...UNAVAILABLE, retryAfter: 3 })).toEqual({ status: 'PENDING', dueAt: NOW + MINUTE })
  })

  test('that would be followed by one after the deadline the time is up', () => {
    const last = { attempts: 1, deadlineAt: NOW + MINUTE }
    expect(after(UNAVAILABLE, last)).toEqual({ status: 'PENDING', dueAt: NOW + MINUTE })
    expect(after(UNAVAILABLE, { ...last, jitterMs: 1 })).toEqual({ status: 'FAILED', error: 'SLA_EXCEEDED' })
    expect(after({ ...UNAVAILABLE, retryAfter: 61 }, last)).toEqual({ status: 'FAILED', error: 'SLA_EXCEEDED' })
  })

  test('every life of a request ends, and nothing is sent after the deadline', () => {
    const results = fc.array(fc.constantFrom<ApiResult<null>>(UNAVAILABLE, { ...UNAVAILABLE, retryAfter: 4000 }), {
      minLength: 7,
      maxLength: 7,
    })
    const property = fc.property(
      fc.integer({ min: 0, max: 660 }),
      results,
      fc.nat(MAX_JITTER_MS),
      (delay, said, jitterMs) => {
        const plan = planAnswer({ ...settings, delayMinutes: delay }, asked)
        if (plan.status !== 'PENDING') throw new Error('it is planned')
        let step: RefundShieldStep = plan
        for (const [index, result] of said.entries()) {
          if (step.status !== 'PENDING') break
          expect(isInTime(deadlineOf(NOW), step.dueAt)).toBe(true)
          step = afterAttempt(result, { attempts: index + 1, deadlineAt: deadlineOf(NOW), now: step.dueAt, jitterMs })
        }
        expect(step.status).toBe('FAILED')
      },
    )
    fc.assert(property, { seed: SEED, numRuns: 300 })
  })
})

describe('the saved settings', () => {
  test('are read as they were saved', () => {
    const saved = { enabled: true, delayMinutes: 0, policy: 'neutral', customerConsented: true }
    expect(readRefundShield(saved)).toEqual(saved as RefundShieldSettings)
  })

  const unreadable = [{}, { enabled: 'yes', delayMinutes: 661, policy: 'maybe', customerConsented: 1 }]
  for (const saved of [...unreadable, { delayMinutes: -1 }, { delayMinutes: 1.5 }])
    test(`are off and as by default where they cannot be read: ${JSON.stringify(saved)}`, () => {
      expect(readRefundShield(saved)).toEqual(DEFAULT_REFUND_SHIELD)
    })
})

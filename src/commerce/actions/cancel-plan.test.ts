import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import type { PurchaseStatus } from '../../core/purchase/status'
import type { ExpiryReason, Store } from '../../stores/observation'
import {
  type CancelQuestion,
  type CancelRefusal,
  type CancelStep,
  givesUp,
  isBeingTried,
  nextTryAt,
  planCancel,
  refuseCancel,
  TRY_MS,
} from './cancel-plan'

const NOW = Date.UTC(2026, 1, 28)
const YEARS = Date.UTC(2028, 1, 28) - NOW
const order: CancelQuestion = {
  store: 'MANUAL',
  productType: 'SUBSCRIPTION',
  status: 'ACTIVE',
  hasOpenAction: false,
  revokeImmediately: false,
  dueAt: NOW + DAY,
  now: NOW,
}

describe('scheduling', () => {
  const cases: [name: string, question: Partial<CancelQuestion>, refusal: CancelRefusal | null][] = [
    ['a grant', {}, null],
    ['of the provider', { store: 'PAYMENT' }, null],
    ['of Android', { store: 'ANDROID_STORE' }, null],
    ['of a purchase in trouble', { store: 'PAYMENT', status: 'BILLING_RETRY' }, null],
    ['of a paused one', { store: 'ANDROID_STORE', status: 'PAUSED' }, null],
    ['in a minute', { dueAt: NOW + MINUTE }, null],
    ['in less', { dueAt: NOW + MINUTE - 1 }, 'too_soon'],
    ['in the past', { dueAt: NOW - DAY }, 'too_soon'],
    ['in two years', { dueAt: NOW + YEARS }, null],
    ['a millisecond later', { dueAt: NOW + YEARS + 1 }, 'too_late'],
    ['revoking a grant', { revokeImmediately: true }, null],
    ['revoking what was paid', { store: 'PAYMENT', revokeImmediately: true }, 'revoke_unsupported'],
    ['revoking at the iOS store', { store: 'IOS_STORE', revokeImmediately: true }, 'revoke_unsupported'],
    ['at the iOS store', { store: 'IOS_STORE' }, 'store_unsupported'],
    ['at the iOS store, of what has ended', { store: 'IOS_STORE', status: 'EXPIRED' }, 'store_unsupported'],
    ['of what has expired', { status: 'EXPIRED' }, 'terminal'],
    ['of what was refunded', { status: 'REFUNDED' }, 'terminal'],
    ['of what was revoked', { status: 'REVOKED', hasOpenAction: true }, 'terminal'],
    ['twice', { hasOpenAction: true }, 'pending'],
    ['of what does not renew', { store: 'PAYMENT', productType: 'NON_CONSUMABLE' }, 'one_time'],
    ['of a grant that does not renew', { productType: 'NON_CONSUMABLE' }, 'one_time'],
    ['revoking such a grant', { productType: 'NON_CONSUMABLE', revokeImmediately: true }, null],
  ]
  for (const [name, question, refusal] of cases)
    test(name, () => expect(refuseCancel({ ...order, ...question })).toBe(refusal))
})

describe('a due cancellation', () => {
  const cases: [name: string, store: Store, status: PurchaseStatus, reason: ExpiryReason | null, step: CancelStep][] = [
    ['of a running grant needs no store', 'MANUAL', 'ACTIVE', 'DEVELOPER', 'record'],
    ['of a grant that ended is over', 'MANUAL', 'EXPIRED', 'DEVELOPER', 'ended'],
    ['of a running subscription asks its store', 'PAYMENT', 'ACTIVE', null, 'ask_store'],
    ['of one in trouble too', 'ANDROID_STORE', 'BILLING_RETRY', null, 'ask_store'],
    ['of what was refunded is over', 'ANDROID_STORE', 'REFUNDED', null, 'ended'],
    ['of what was revoked is over', 'PAYMENT', 'REVOKED', null, 'ended'],
    ['of what the store ended is over', 'PAYMENT', 'EXPIRED', 'UNSUBSCRIBED', 'ended'],
    ['of what only the clock ended asks: it may have renewed', 'PAYMENT', 'EXPIRED', null, 'ask_store'],
  ]
  for (const [name, store, status, expiryReason, step] of cases)
    test(name, () => expect(planCancel(store, { status }, { expiryReason })).toBe(step))
})

describe('tries', () => {
  const dueAt = NOW + DAY
  test('begin at the instant, whenever it was made', () => {
    expect([nextTryAt({ dueAt, updatedAt: NOW }), isBeingTried({ dueAt, updatedAt: NOW }, dueAt)]).toEqual([
      dueAt,
      false,
    ])
  })

  test('wait double each time, never less than one may take, and an hour at most', () => {
    const waits: number[] = []
    for (let at = dueAt; waits.length < 9; ) {
      const next = nextTryAt({ dueAt, updatedAt: at })
      waits.push((next - at) / MINUTE)
      at = next
    }
    expect(waits).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('are nobody else’s for a minute', () => {
    const tried = { dueAt, updatedAt: dueAt + HOUR }
    expect([0, TRY_MS - 1, TRY_MS].map((ms) => isBeingTried(tried, tried.updatedAt + ms))).toEqual([true, true, false])
  })

  test('end after a day, but not with the first one', () => {
    const tried = { dueAt, updatedAt: dueAt + HOUR }
    expect([DAY - 1, DAY].map((ms) => givesUp(tried, dueAt + ms))).toEqual([false, true])
    expect(givesUp({ dueAt, updatedAt: NOW }, dueAt + 9 * DAY)).toBe(false)
  })
})

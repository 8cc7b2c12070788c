import { describe, expect, test } from 'bun:test'
import { answer, pro, R, subscription } from '../core/compare.fixtures'
import { AnswerFault, decodeSubscriber } from './decode'
import { isRefusedId, vendorIds } from './ids'

const changed = (
  change: object,
  of: 'subscription' | 'entitlement' | 'subscriber' | 'answer' = 'subscription',
): string => {
  const whole = JSON.parse(answer(pro()))
  if (of === 'answer') Object.assign(whole, change)
  if (of === 'subscriber') Object.assign(whole.subscriber, change)
  if (of === 'subscription') Object.assign(whole.subscriber.subscriptions['com.x.pro'], change)
  if (of === 'entitlement') Object.assign(whole.subscriber.entitlements.pro, change)
  return JSON.stringify(whole)
}

describe('an answer is read', () => {
  test('with members that nobody knows, and without the optional ones', () => {
    const whole = JSON.parse(changed({ news: [1], price: null }))
    for (const name of ['grace_period_expires_date', 'auto_resume_date', 'ownership_type', 'period_type', 'price'])
      delete whole.subscriber.subscriptions['com.x.pro'][name]
    delete whole.subscriber.non_subscriptions
    const { at, purchases } = decodeSubscriber(JSON.stringify(whole))
    expect([at, purchases[0]?.ownership, purchases[0]?.isTrial]).toEqual([R, null, false])
  })

  test('with 0 to 9 digits after the second', () => {
    for (const fraction of ['', '.4', '.412', '.412345678']) {
      const { entitlements } = decodeSubscriber(
        changed({ expires_date: `2026-12-10T08:00:00${fraction}Z` }, 'entitlement'),
      )
      expect(Math.floor((entitlements[0]?.end ?? 0) / 1000)).toBe(1796889600)
    }
  })

  test('with transaction ids that are numbers, also long ones, digit by digit', () => {
    const text = changed({}).replace('"2000000900000777"', '900719925474099312345')
    expect(decodeSubscriber(text).purchases[0]?.transactionId).toBe('900719925474099312345')
  })

  test('without request_date_ms by request_date', () => {
    expect(decodeSubscriber(changed({ request_date_ms: null }, 'answer')).at).toBe(Math.floor(R / 1000) * 1000)
  })
})

describe('garbage is a fault of the answer:', () => {
  const cases: [name: string, text: string][] = [
    ['no JSON', '<html>busy</html>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['no subscriber', changed({ subscriber: null }, 'answer')],
    ['no entitlements', changed({ entitlements: undefined }, 'subscriber')],
    ['entitlements as a list', changed({ entitlements: [] }, 'subscriber')],
    ['subscriptions as a text', changed({ subscriptions: 'x' }, 'subscriber')],
    ['one-time purchases that are no list', changed({ non_subscriptions: { a: {} } }, 'subscriber')],
    ['an entry that is no object', changed({ subscriptions: { a: 5 } }, 'subscriber')],
    ['no instant', changed({ request_date_ms: 'soon' }, 'answer')],
    ['an instant in seconds', changed({ request_date_ms: 1795161600 }, 'answer')],
    ['an end that is missing', changed({ expires_date: undefined }, 'entitlement')],
    ['an end that is no date', changed({ expires_date: 'tomorrow' }, 'entitlement')],
    ['an end that is a number', changed({ expires_date: 1795161600 }, 'entitlement')],
    ['the 31st of February', changed({ expires_date: '2026-02-31T00:00:00Z' })],
    ['no start', changed({ purchase_date: null })],
    ['no store', changed({ store: null })],
    ['a sandbox that is a text', changed({ is_sandbox: 'false' })],
    ['a product that is an object', changed({ product_identifier: {} }, 'entitlement')],
    ['half a character', changed({ store_transaction_id: '\ud800' })],
    ['a zero byte', changed({ store_transaction_id: 'a\u0000' })],
  ]
  for (const [name, text] of cases) test(name, () => expect(() => decodeSubscriber(text)).toThrow(AnswerFault))
})

test('members named like those of every object are ordinary names', () => {
  const text = answer({ subscriptions: { constructor: subscription() } }).replace('"constructor"', '"__proto__"')
  expect(decodeSubscriber(text).purchases.map(({ product }) => product)).toEqual(['__proto__'])
})

describe('the ids of a person at the vendor', () => {
  const anonymous = '$RCAnonymousID:0123456789abcdef0123456789abcdef'
  const row = (deviceKey: string, appUserId: string | null = null) => ({ deviceKey, appUserId })

  test('are the label, ids of an import and the ids that the vendor gave out', () => {
    expect(vendorIds([row('svc_1', 'ada'), row(anonymous)])).toEqual({ ids: ['ada', anonymous], isRefused: false })
    expect(vendorIds([row(`rc:${anonymous}`)]).ids).toEqual([anonymous])
    expect(vendorIds([row('rc:label:ada', 'ada')]).ids).toEqual(['ada'])
    expect(vendorIds([row('import:ada')])).toEqual({ ids: ['ada'], isRefused: false })
    expect(vendorIds([row('import:ada', 'ada')]).ids).toEqual(['ada'])
    expect(vendorIds([row('svc_1')])).toEqual({ ids: [], isRefused: false })
    expect(vendorIds([row('ios:2000')])).toEqual({ ids: [], isRefused: false })
  })

  test('are none that the vendor refuses', () => {
    for (const id of ['null', 'NaN', 'Guest', '-1', '[object Object]', ' ', 'x'.repeat(101)]) {
      expect(isRefusedId(id)).toBe(true)
      expect(vendorIds([row('svc_1', id)])).toEqual({ ids: [], isRefused: true })
    }
    expect(isRefusedId('nullable')).toBe(false)
  })
})

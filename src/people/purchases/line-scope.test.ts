import { expect, test } from 'bun:test'
import { chargePrefixOf, revenueKeyOf, scopedId } from './line-scope'

const keyOf = (chargeScope: string, key: string) =>
  revenueKeyOf({ store: 'PAYMENT', chargeScope }, { key, storeTransactionId: 'in_1' })

test('two lines of one charge have different names', () => {
  expect([scopedId('in_1', 'si_1'), scopedId('in_1', 'si_2')]).toEqual(['in_1/si_1', 'in_1/si_2'])
  expect(keyOf('si_1', 'in_1:CHARGE')).toBe('PAYMENT:in_1/si_1:CHARGE')
  expect(keyOf('si_1', 'in_1:REFUND:2')).toBe('PAYMENT:in_1/si_1:REFUND:2')
})

test('a purchase without lines keeps the names that it had', () => {
  expect(scopedId('in_1', '')).toBe('in_1')
  expect(keyOf('', 'in_1:CHARGE')).toBe('PAYMENT:in_1:CHARGE')
})

test('all money lines of a charge begin with the same prefix', () => {
  for (const key of ['in_1:CHARGE', 'in_1:REFUND', 'in_1:REFUND:2', 'in_1:REFUND_REVERSAL', 'in_1:REFUND_REVERSAL:3'])
    expect(chargePrefixOf(keyOf('si_1', key))).toBe('PAYMENT:in_1/si_1:')
  expect(chargePrefixOf('ANDROID_STORE:GPA.1..0:CHARGE')).toBe('ANDROID_STORE:GPA.1..0:')
})

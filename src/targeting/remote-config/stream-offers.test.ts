import { expect, test } from 'bun:test'
import { MINUTE } from '../../base/lib/clock'
import { StreamOffers } from './stream-offers'
import type { StreamGrant } from './stream-token'

const NOW = 1_793_000_000_000
const grant = (subscriber: string): StreamGrant => ({
  projectId: 'prj_1',
  keyId: 'key_1',
  presented: 'public',
  subscriber,
  env: 'PROD',
})

test('an offer is fresh for five minutes, whichever way the clock is set', () => {
  const offers = new StreamOffers()
  offers.note(grant('svc_a'), NOW)
  expect(offers.isFresh(grant('svc_a'), NOW + 5 * MINUTE - 1)).toBe(true)
  for (const now of [NOW + 5 * MINUTE, NOW - 5 * MINUTE]) expect(offers.isFresh(grant('svc_a'), now)).toBe(false)
  expect(offers.isFresh(grant('svc_b'), NOW)).toBe(false)
  offers.note(grant('svc_a'), NOW + 4 * MINUTE)
  offers.note(grant('svc_b'), NOW + 7 * MINUTE) // The first generation ends.
  expect(offers.isFresh(grant('svc_a'), NOW + 8 * MINUTE)).toBe(true)
  offers.withdraw(grant('svc_a'))
  expect(offers.isFresh(grant('svc_a'), NOW + 8 * MINUTE)).toBe(false)
})

test('a flood of names is held within its bound, and forgets the oldest', () => {
  const offers = new StreamOffers(10)
  for (let index = 0; index < 1000; index++) offers.note(grant(`svc_${index}`), NOW + index)
  expect(offers.size).toBeLessThanOrEqual(20)
  expect(offers.isFresh(grant('svc_0'), NOW + 1000)).toBe(false)
  expect(offers.isFresh(grant('svc_999'), NOW + 1000)).toBe(true)
})

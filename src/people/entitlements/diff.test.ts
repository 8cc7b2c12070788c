import { expect, test } from 'bun:test'
import { day, foldOf, sold } from '../purchases/lives.fixtures'
import { computeEntitlements, type EntitlementGrant, toAccessMap } from './compute'
import { entitlementEvents } from './diff'

const grant = (access: string, expiresAt: number): EntitlementGrant => ({
  purchaseId: `pur_${access}`,
  accessIdentifiers: [access],
  productIdentifier: 'pro_monthly',
  store: 'IOS_STORE',
  environment: 'PRODUCTION',
  fold: { ...foldOf([sold()]), expiresAt },
})

const computed = (...ends: [access: string, end: number][]) =>
  computeEntitlements(
    ends.map(([access, end]) => grant(access, day(end))),
    day(15),
    true,
  )

const granted = (access: string) =>
  ({ type: 'entitlement.granted', data: { access, purchaseId: `pur_${access}` } }) as const
const revoked = (access: string) =>
  ({ type: 'entitlement.revoked', data: { access, purchaseId: `pur_${access}` } }) as const

test('access not told before is granted', () => {
  expect(entitlementEvents({}, computed(['pro', 30]))).toEqual([granted('pro')])
})

test('access that ended is revoked, by the purchase that ended', () => {
  expect(entitlementEvents(toAccessMap(computed(['pro', 30])), computed(['pro', 10]))).toEqual([revoked('pro')])
})

test('access whose purchase moved away is revoked without a purchase', () => {
  const event = { type: 'entitlement.revoked', data: { access: 'pro', purchaseId: null } } as const
  expect(entitlementEvents(toAccessMap(computed(['pro', 30])), [])).toEqual([event])
})

test('a mere change of dates is no event', () => {
  expect(entitlementEvents(toAccessMap(computed(['pro', 30])), computed(['pro', 60]))).toEqual([])
})

test('access that was never told and is not held is no event', () => {
  expect(entitlementEvents({}, computed(['pro', 10]))).toEqual([])
})

test('several are sorted by access', () => {
  const published = toAccessMap(computed(['b', 30], ['d', 30]))
  const now = computed(['a', 30], ['b', 10], ['c', 30], ['d', 30])
  expect(entitlementEvents(published, now)).toEqual([granted('a'), revoked('b'), granted('c')])
})

test('an access may be named like a member that every object has', () => {
  expect(entitlementEvents({}, computed(['constructor', 30]))).toEqual([granted('constructor')])
})

import { expect, test } from 'bun:test'
import type { HeldPurchase } from '../purchases/holdings'
import type { Entitlement } from './compute'
import { leadingAccess } from './leading'

const DAY = 86_400_000

const entitlement = (access: string, isActive: boolean): Entitlement => ({
  ...{ access, isActive, expiresAt: null, store: 'IOS_STORE', productIdentifier: access, purchaseId: `pur_${access}` },
  ...{ rule: 'PAST_END', candidates: [] },
})

const purchase = (access: string, fold: Partial<HeldPurchase['fold']>) => ({
  id: `pur_${access}`,
  fold: {
    ...{ purchaseDate: 0, expiresAt: DAY, gracePeriodExpiresAt: null, refundedAt: null, revokedAt: null },
    ...fold,
  } as HeldPurchase['fold'],
})

const CASES: [name: string, active: boolean[], folds: Partial<HeldPurchase['fold']>[], leads: string | null][] = [
  ['nothing was ever bought', [], [], null],
  ['an active one leads, whatever was lost later', [true, false], [{}, { expiresAt: 9 * DAY }], 'a'],
  ['of two active ones that of the newest purchase', [true, true], [{}, { purchaseDate: DAY }], 'b'],
  ['of two lost ones the one that ended last', [false, false], [{ expiresAt: DAY }, { expiresAt: 2 * DAY }], 'b'],
  ['a refund is the end', [false, false], [{ expiresAt: 9 * DAY, refundedAt: DAY }, { expiresAt: 2 * DAY }], 'b'],
]
test.each(CASES)('%s', (_name, active, folds, leads) => {
  const names = ['a', 'b']
  const entitlements = active.map((isActive, index) => entitlement(names[index] ?? '', isActive))
  const purchases = folds.map((fold, index) => purchase(names[index] ?? '', fold))
  expect(leadingAccess(entitlements, purchases)).toBe(leads)
})

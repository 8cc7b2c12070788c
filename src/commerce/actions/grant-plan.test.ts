import { describe, expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import { compileCatalog, type Product } from '../../projects/catalog/snapshot'
import { type GrantWish, grantReport, type PlannedGrant, planGrant } from './grant-plan'

const NOW = Date.UTC(2026, 10, 20)
const stores = {
  iosId: null,
  androidId: null,
  paymentId: null,
  androidBasePlanId: null,
  androidOfferId: null,
  price: null,
}
const product = (id: string, type: Product['type'], accessIds: string[]): Product => ({
  ...stores,
  id: `prd_${id}`,
  identifier: id,
  type,
  displayName: id,
  period: null,
  accessIds,
  isActive: true,
  metadata: {},
})
const access = (id: string) => ({ id: `acc_${id}`, identifier: id, displayName: id, description: null, metadata: {} })
const catalog = compileCatalog({
  products: [
    product('monthly', 'SUBSCRIPTION', ['acc_pro']),
    product('lifetime', 'NON_CONSUMABLE', ['acc_pro']),
    product('coins', 'CONSUMABLE', []),
  ],
  access: [access('pro'), access('coach')],
  offerings: [],
  currencies: [],
  grants: [],
})

const plan = (wish: Partial<GrantWish>) =>
  planGrant({ productId: null, accessIds: null, expiresAt: null, ...wish }, catalog, NOW)

const cases: [name: string, wish: Partial<GrantWish>, outcome: object][] = [
  ['a product by its id', { productId: 'prd_monthly' }, { ok: true, storeProductId: 'prd_monthly', accessIds: null }],
  ['a product by its identifier', { productId: 'monthly' }, { ok: true, productType: 'SUBSCRIPTION' }],
  ['a one-time product stays one', { productId: 'lifetime' }, { ok: true, productType: 'NON_CONSUMABLE' }],
  ['an access by its id', { accessIds: ['acc_pro'] }, { ok: true, accessIds: ['acc_pro'] }],
  [
    'accesses named twice',
    { accessIds: ['coach', 'acc_coach', 'pro'] },
    { ok: true, accessIds: ['acc_coach', 'acc_pro'] },
  ],
  ['an end in a millisecond', { productId: 'monthly', expiresAt: NOW + 1 }, { ok: true, expiresAt: NOW + 1 }],
  ['nothing named', {}, { reason: 'unclear' }],
  ['no access in the list', { accessIds: [] }, { reason: 'unclear' }],
  ['both named', { productId: 'monthly', accessIds: ['pro'] }, { reason: 'unclear' }],
  ['an unknown product', { productId: 'none' }, { reason: 'unknown', resource: 'product', ids: ['none'] }],
  ['the unknown among accesses', { accessIds: ['pro', 'x', 'y', 'x'] }, { resource: 'access', ids: ['x', 'y'] }],
  ['a product that gives no access', { productId: 'coins' }, { reason: 'no_access' }],
  ['an end at this instant', { productId: 'monthly', expiresAt: NOW }, { reason: 'past' }],
  ['an end in the year 10000', { productId: 'monthly', expiresAt: MAX_INSTANT + 1 }, { reason: 'too_late' }],
]
for (const [name, wish, outcome] of cases) test(name, () => expect(plan(wish)).toMatchObject(outcome))

describe('the word of a grant', () => {
  const planned = (expiresAt: number | null) => plan({ productId: 'monthly', expiresAt }) as PlannedGrant
  const report = (expiresAt: number | null) => grantReport('pur_1', planned(expiresAt), NOW)
  const stateAt = (expiresAt: number | null, at: number) => {
    const fold = foldObservations([report(expiresAt)], 'SUBSCRIPTION')
    return fold && statusAt(fold, at)
  }

  test('gives access up to its end, which the developer has set', () => {
    expect(stateAt(NOW + DAY, NOW + DAY - 1)).toMatchObject({ status: 'ACTIVE', expiresAt: NOW + DAY, price: null })
    expect(stateAt(NOW + DAY, NOW + DAY)).toMatchObject({ status: 'EXPIRED', expiryReason: 'DEVELOPER' })
  })

  test('without an end it never ends', () => {
    expect(stateAt(null, MAX_INSTANT)).toMatchObject({ status: 'ACTIVE', expiresAt: null, expiryReason: null })
  })

  test('is one GRANT without money, and stays that when it is revoked', () => {
    const marker = { kind: 'REVOCATION' as const, id: 'r', eventAt: NOW + 1, transactionId: 'pur_1', amount: null }
    for (const observations of [[report(null)], [report(null), marker]])
      expect(transactionLines(observations, 'SUBSCRIPTION').map(({ kind, price }) => [kind, price])).toEqual([
        ['GRANT', null],
      ])
  })
})

import { expect, test } from 'bun:test'
import type { ProductType } from '../../stores/observation'
import { checkGrants } from './grants'
import type { GrantOn } from './tables'

const grant = (currency: string, grantOn: GrantOn) => ({ currency, grantOn })

const cases: [fact: string, type: ProductType, grants: ReturnType<typeof grant>[], reasons: string[]][] = [
  [
    'a subscription grants on anything',
    'SUBSCRIPTION',
    [grant('a', 'BOTH'), grant('b', 'RENEWAL'), grant('c', 'PURCHASE')],
    [],
  ],
  [
    'a currency may differ between purchase and renewal',
    'SUBSCRIPTION',
    [grant('a', 'PURCHASE'), grant('a', 'RENEWAL')],
    [],
  ],
  ['a one-time product grants on purchase', 'CONSUMABLE', [grant('a', 'PURCHASE')], []],
  ['a one-time product does not renew', 'CONSUMABLE', [grant('a', 'RENEWAL')], ['0 renewal_needs_subscription a']],
  ['both is a renewal too', 'NON_CONSUMABLE', [grant('a', 'BOTH')], ['0 renewal_needs_subscription a']],
  ['the same trigger twice', 'SUBSCRIPTION', [grant('a', 'PURCHASE'), grant('a', 'PURCHASE')], ['1 granted_twice a']],
  [
    'both holds each trigger',
    'SUBSCRIPTION',
    [grant('a', 'RENEWAL'), grant('b', 'BOTH'), grant('a', 'BOTH')],
    ['2 granted_twice a'],
  ],
]
for (const [fact, type, grants, reasons] of cases)
  test(fact, () => {
    const found = checkGrants(type, grants).map(({ index, reason, currency }) => `${index} ${reason} ${currency}`)
    expect(found).toEqual(reasons)
  })

import { type CatalogSnapshot, compileCatalog, type Product } from '../../../projects/catalog/snapshot'

type Sold = Pick<Product, 'identifier'> & Partial<Product>

const product = ({ identifier, ...rest }: Sold): Product => ({
  id: `prd_${identifier}`,
  identifier,
  type: 'SUBSCRIPTION',
  displayName: identifier,
  iosId: null,
  androidId: null,
  paymentId: null,
  androidBasePlanId: null,
  androidOfferId: null,
  period: null,
  price: null,
  accessIds: [],
  isActive: true,
  metadata: {},
  ...rest,
})

/**
 * The catalogue of the cast in `test/support`, with a second currency that is granted differently for purchases and
 * renewals.
 */
export const SHOP: CatalogSnapshot = compileCatalog({
  products: [
    product({
      identifier: 'pro_monthly',
      iosId: 'com.x.pro.monthly',
      androidId: 'pro',
      androidBasePlanId: 'monthly',
      period: 'P1M',
      accessIds: ['pro'],
    }),
    product({
      identifier: 'pro_yearly',
      iosId: 'com.x.pro.yearly',
      androidId: 'pro',
      androidBasePlanId: 'yearly',
      period: 'P1Y',
      accessIds: ['pro', 'coach'],
    }),
    product({ identifier: 'coins_100', type: 'CONSUMABLE', iosId: 'com.x.coins.100', androidId: 'coins.100' }),
    product({
      identifier: 'lifetime',
      type: 'NON_CONSUMABLE',
      iosId: 'com.x.lifetime',
      androidId: 'lifetime.one',
      accessIds: ['pro'],
    }),
    product({ identifier: 'pass', iosId: 'com.x.pass', period: 'P1M', accessIds: ['coach'] }),
  ],
  access: [],
  offerings: [],
  currencies: [],
  grants: [
    { productId: 'prd_coins_100', currencyId: 'coins', amount: 100n, grantOn: 'PURCHASE' },
    { productId: 'prd_pro_yearly', currencyId: 'coins', amount: 500n, grantOn: 'BOTH' },
    { productId: 'prd_pro_monthly', currencyId: 'gems', amount: 50n, grantOn: 'PURCHASE' },
    { productId: 'prd_pro_monthly', currencyId: 'gems', amount: 7n, grantOn: 'RENEWAL' },
    { productId: 'prd_pro_yearly', currencyId: 'gems', amount: 60n, grantOn: 'PURCHASE' },
    { productId: 'prd_pro_yearly', currencyId: 'gems', amount: 90n, grantOn: 'RENEWAL' },
  ],
})

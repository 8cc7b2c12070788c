import { present } from '../../src/intake/recording/model'
import { recordObservations } from '../../src/intake/recording/record-observations'
import { causeOf } from '../../src/people/events/model'
import { findByChain } from '../../src/people/purchases/queries'
import { ensureSubscriber } from '../../src/people/subscribers/service'
import type { ProductType, Report } from '../../src/stores/observation'
import { after, COINS, LIFETIME, MONTHLY, type Stage, YEARLY } from './cast'

const TYPES = new Map<string, ProductType>([
  [MONTHLY.productId, 'SUBSCRIPTION'],
  [YEARLY.productId, 'SUBSCRIPTION'],
  [COINS.productId, 'CONSUMABLE'],
  [LIFETIME.productId, 'NON_CONSUMABLE'],
])

interface LivePurchase {
  product?: Pick<typeof MONTHLY, 'productId' | 'period' | 'price' | 'currency'>
  isTrial?: boolean
  projectId?: string
  /** Names the purchase; a second report of it renews. */
  chain?: string
  autoRenews?: boolean
}

let count = 0

/** Records a purchase of production at the present time, as the word of a store does. Test stores sell in the sandbox. */
export async function buyLive(s: Stage, device: string, options: LivePurchase = {}): Promise<string> {
  const { product = MONTHLY, isTrial = false, projectId = s.project.id, autoRenews = true } = options
  const id = `live_${++count}`
  const now = s.ctx.clock.now()
  const price = { amountMicros: isTrial ? 0 : (product.price ?? 0) * 1000, currency: product.currency ?? 'USD' }
  const report: Report = {
    ...{ kind: 'REPORT', id, eventAt: now, renewal: { autoRenews } },
    transaction: {
      ...{ transactionId: id, storeProductId: product.productId, purchaseDate: now, originalPurchaseDate: now },
      expiresAt: product.period === null ? null : after(now, isTrial ? 'P1W' : product.period),
      ...{ isTrial, isIntroOffer: false, offerId: null, price, quantity: 1, ownershipType: 'PURCHASED' },
      reason: 'PURCHASE',
    },
  }
  const chainKey = options.chain ?? id
  const productType = TYPES.get(product.productId) ?? 'SUBSCRIPTION'
  const project = await s.ctx.state.projects.get(projectId)
  return s.ctx.write(async (tx) => {
    const { row } = await ensureSubscriber(tx, projectId, device, null)
    const held = await findByChain(tx, projectId, 'IOS_STORE', chainKey)
    const chain = { store: 'IOS_STORE', environment: 'PRODUCTION', chainKey } as const
    const context = { accountToken: null, presentedContext: null, accessIds: null, originalTransactionId: chainKey }
    const told = { ...chain, ...context, productType, observations: [report] }
    const cause = causeOf('STORE_NOTIFICATION', null, 'IOS_STORE', 'live')
    const { purchase } = await recordObservations(tx, project, present(row), held, told, cause)
    return purchase?.id ?? ''
  })
}

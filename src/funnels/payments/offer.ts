import type { Context } from '../../base/context'
import type { FunnelDocument } from '../../core/funnel/model'
import type { FunnelOffer, OfferAsks, OfferedPrice, Wallets } from '../sessions/service'
import { NO_WALLETS, type Seller } from './seller'
import { sellerOf } from './sellers'
import { offeredPrice, packagesOf } from './terms'

/** What a version of a funnel sells today (funnels 3). Nothing is made at the provider. */
export async function funnelOffer(
  ctx: Context,
  projectId: string,
  document: FunnelDocument,
  asks: OfferAsks,
): Promise<FunnelOffer> {
  const project = await ctx.state.projects.get(projectId)
  const seller = await sellerOf(ctx, project)
  if (!seller) return { prices: [], payment: null, chargesEnabled: false }
  const prices: OfferedPrice[] = []
  for (const sold of packagesOf(project, document)) {
    const terms = await seller.priceOf(sold, false)
    if (terms) prices.push(offeredPrice(sold, terms))
  }
  const { walletsOn } = asks
  const wallets = walletsOn === undefined ? seller.account.wallets : await walletsHere(ctx, seller, walletsOn)
  return { prices, payment: { ...seller.account, wallets }, chargesEnabled: true }
}

/** Of a custom domain, else of the public host of this server: wallets work only on a host that is registered. */
async function walletsHere(
  { config: { publicBaseUrl } }: Context,
  seller: Seller,
  customHost: string | null,
): Promise<Wallets> {
  if (customHost !== null) return seller.walletsOf(customHost)
  const { protocol, hostname } = publicBaseUrl === null ? { protocol: '', hostname: '' } : new URL(publicBaseUrl)
  return protocol === 'https:' ? seller.walletsOf(hostname) : NO_WALLETS
}

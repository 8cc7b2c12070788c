import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { SECOND } from '../../base/lib/clock'
import { loadStoreSettings, type SavedSettings } from '../../projects/connections/credentials'
import type { ProjectState } from '../../projects/project/state'
import {
  type OfferClaims,
  type OfferSignature,
  type OfferSigner,
  signOffer,
  signOfferJws,
} from '../../stores/ios/offer-signature'

export interface OfferInput {
  /** Our identifier or the store's product id. */
  productId: string
  offerId: string
  appAccountToken: string | null
}

/** Signs a promotional offer for the app to show to the iOS store (wire 2.10). */
export async function signIosOffer(ctx: Context, project: ProjectState, input: OfferInput): Promise<OfferSignature> {
  const saved = (await loadStoreSettings(ctx, ctx.vault, project.id)).get('ios')
  if (!saved) throw new AppError('ios_offer_signing_unavailable')
  const storeProductId = storeProductIdOf(project, input.productId)
  const { offerId, appAccountToken } = input
  const once = { nonce: ctx.ids.uuid(), timestamp: ctx.clock.now() }
  const result = signOffer(toSigner(saved), { storeProductId, offerId, appAccountToken, ...once })
  if (result.ok) return result.signature
  throw new AppError(result.reason === 'unavailable' ? 'ios_offer_signing_unavailable' : 'ios_offer_signing_failed')
}

/** What a JWS is asked for, as the call says it. */
export interface JwsInput {
  /** Our identifier or the store's product id. */
  productId: string
  kind: OfferClaims['kind']
  offerId: string | null
  transactionId: string | null
  allowIntroductoryOffer: boolean
}

/** Signs an offer in the newer form, a JWS. */
export async function signIosOfferJws(ctx: Context, project: ProjectState, input: JwsInput): Promise<{ jws: string }> {
  const saved = (await loadStoreSettings(ctx, ctx.vault, project.id)).get('ios')
  if (!saved) throw new AppError('ios_offer_signing_unavailable')
  const claims = claimsOf(storeProductIdOf(project, input.productId), input)
  const issuedAt = Math.floor(ctx.clock.now() / SECOND)
  const result = signOfferJws(toSigner(saved), claims, { nonce: ctx.ids.uuid(), issuedAt })
  if (result.ok) return { jws: result.jws }
  throw new AppError(result.reason === 'unavailable' ? 'ios_offer_signing_unavailable' : 'ios_offer_signing_failed')
}

function claimsOf(productId: string, { kind, offerId, transactionId, allowIntroductoryOffer }: JwsInput): OfferClaims {
  if (kind === 'promotional') {
    if (offerId === null) throw invalid('offerId is needed for a promotional offer')
    return { kind, productId, offerIdentifier: offerId, ...(transactionId !== null && { transactionId }) }
  }
  if (transactionId === null)
    throw invalid(
      'transactionId is needed for an introductory offer: any transaction of the person, or their appTransactionId',
    )
  return { kind, productId, allowIntroductoryOffer, transactionId }
}

function storeProductIdOf({ catalog }: ProjectState, productId: string): string {
  const product = catalog.productByIdentifier.get(productId) ?? catalog.productByIosId.get(productId)
  if (!product) throw invalid('No product carries that productId')
  return product.iosId ?? product.identifier
}

/** A saved key that this master key cannot decrypt cannot sign. It must be saved again. */
function toSigner({ config, secrets, hasSecrets }: SavedSettings): OfferSigner {
  if (hasSecrets && secrets === null) throw new AppError('ios_offer_signing_failed')
  const key = config.inAppPurchaseKey as { keyId?: unknown; issuerId?: unknown } | null | undefined // As the project file saved it.
  return {
    bundleId: textOf(config.bundleId),
    keyId: textOf(key?.keyId),
    issuerId: textOf(key?.issuerId),
    privateKey: secrets?.['inAppPurchaseKey.privateKey'] ?? null,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

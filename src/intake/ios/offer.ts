import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { retryAfterSeconds } from '../../base/http/rate-limit'
import { SECOND } from '../../base/lib/clock'
import { hasIosTransaction } from '../../people/purchases/queries'
import { loadStoreSettings, type SavedSettings } from '../../projects/connections/credentials'
import type { KeyHolder } from '../../projects/doors/api'
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

/**
 * Refuses to say for anyone that they may have an introductory offer once more: everybody has the public key. With it,
 * the person is one whose transaction the project knows, and is spoken for a few times in a minute. 403 `FORBIDDEN`,
 * 429 `RATE_LIMITED`.
 */
export async function refuseStranger(
  ctx: Context,
  { project, key }: KeyHolder,
  { kind, transactionId, allowIntroductoryOffer }: JwsInput,
): Promise<void> {
  if (key.presented === 'secret' || kind !== 'introductory' || !allowIntroductoryOffer || transactionId === null) return
  if (!(await hasIosTransaction(ctx, project.id, transactionId)))
    throw new AppError('FORBIDDEN', undefined, { message: UNKNOWN })
  const person = `${project.id} ${transactionId}`
  const state = await ctx.state.limits.hit('introductory-offer', person, PER_MINUTE, ctx.clock.now())
  if (!state?.isExceeded) return
  const seconds = retryAfterSeconds(state, ctx.clock.now())
  throw new AppError('RATE_LIMITED', { retryAfterSeconds: seconds }, { retryAfter: seconds })
}

const PER_MINUTE = 5
const UNKNOWN =
  'With a public key, an introductory offer is signed for a transaction that this project has recorded; for others your server asks with its secret key'

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

import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { signIosOffer } from '../../intake/ios/offer'
import type { ProjectState } from '../../projects/project/state'
import { BAD_REQUEST } from './refusal'

const MAX_OFFERS = 20

/** Signs promotional offers of the App Store. The entry of an offer that cannot be signed has the reason. */
export async function signOffers(
  ctx: Context,
  project: ProjectState,
  { generate_offers }: { generate_offers?: unknown },
) {
  const asked = Array.isArray(generate_offers) ? generate_offers.slice(0, MAX_OFFERS) : []
  return { offers: await Promise.all(asked.map((one) => signOne(ctx, project, one ?? {}))) }
}

async function signOne(
  ctx: Context,
  project: ProjectState,
  { offer_id, product_id }: { offer_id?: unknown; product_id?: unknown },
) {
  const named = { offer_id: String(offer_id ?? ''), product_id: String(product_id ?? '') }
  try {
    const input = { productId: named.product_id, offerId: named.offer_id, appAccountToken: null }
    const { keyIdentifier: keyId, nonce, signature, timestamp } = await signIosOffer(ctx, project, input)
    return { ...named, key_id: keyId, signature_data: { nonce, signature, timestamp }, signature_error: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const signature_error = { code: BAD_REQUEST, message: error.message }
    return { ...named, key_id: '', signature_data: null, signature_error }
  }
}

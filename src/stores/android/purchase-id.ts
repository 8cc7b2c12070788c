/** A product at Google Play. Its ids consist of letters, digits, `_`, `.` and `-`, so a colon can join the two. */
export interface AndroidProductId {
  productId: string
  basePlanId: string | null
}

/**
 * The name of a subscription's base plan in observations, for a change of plan is a change of product: `pro:monthly`.
 */
export const joinAndroidId = (productId: string, basePlanId: string | null): string =>
  basePlanId === null ? productId : `${productId}:${basePlanId}`

export function splitAndroidId(storeProductId: string): AndroidProductId {
  const at = storeProductId.indexOf(':')
  if (at === -1) return { productId: storeProductId, basePlanId: null }
  return { productId: storeProductId.slice(0, at), basePlanId: storeProductId.slice(at + 1) }
}

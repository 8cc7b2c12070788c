/** The columns of wire 5.16. */
export const CANONICAL = [
  ...(['subscriberExternalId', 'store', 'productIdentifier', 'purchaseDate', 'deviceKey'] as const),
  ...(['originalTransactionId', 'storeTransactionId', 'purchaseToken', 'receipt', 'providerId'] as const),
  ...(['isSubscription', 'expiresDate', 'originalPurchaseDate', 'gracePeriodExpiresDate', 'refundedAt'] as const),
  ...(['cancelledAt', 'billingIssueAt', 'autoRenews', 'autoResumeAt', 'isTrial', 'isIntroOffer'] as const),
  ...(['isSandbox', 'price', 'currency', 'country', 'ownershipType', 'quantity', 'renewalNumber'] as const),
  ...(['email', 'displayName', 'attributes', 'firstSeenAt', 'lastSeenAt', 'updatedAt', 'offerId'] as const),
  ...(['entitlements'] as const),
]

export type Canonical = (typeof CANONICAL)[number]

export const isCanonical = (name: string): name is Canonical => (CANONICAL as readonly string[]).includes(name)

/** What a `store` column may say after the value map. */
export const STORE_WORDS = {
  ios_store: 'IOS_STORE',
  android_store: 'ANDROID_STORE',
  payment: 'PAYMENT',
  promotional: 'MANUAL',
} as const

export type StoreWord = keyof typeof STORE_WORDS

/** In any case of its letters; null for another word. */
export function storeWordOf(text: string): StoreWord | null {
  const word = text.toLowerCase()
  return Object.hasOwn(STORE_WORDS, word) ? (word as StoreWord) : null // The table has just been asked for the word.
}

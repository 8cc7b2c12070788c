import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import { type DecodedTransaction, decodeTransaction } from '../../stores/ios/decode'

/** The transaction in a receipt, after checking its signature, its certificate chain and its app (wire 2.7). */
export async function verifyIosReceipt(
  ctx: Context,
  project: ProjectState,
  receipt: string,
): Promise<DecodedTransaction> {
  if (!ctx.state.iosStore.isReady) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'ios_receipt_verifier' })
  if (!project.ios) throw new AppError('STORE_NOT_CONFIGURED')
  const signed = await ctx.state.iosStore
    .of(project.id)
    .verify(receipt, { allowLocal: project.settings.allowLocalStoreTesting })
  if (!signed.ok && signed.reason === 'local_root') throw unknownXcode()
  if (!signed.ok && signed.reason === 'environment') throw refused(NO_LOCAL)
  if (!signed.ok) throw refused(`signature check failed: ${signed.reason}`)
  const decoded = decodeTransaction(signed.payload)
  if (!decoded.ok) throw refused(`${decoded.field} is missing or malformed`)
  if (decoded.transaction.bundleId !== project.ios.bundleId) throw refused('it is for another app')
  return decoded.transaction
}

const NO_LOCAL =
  'it is from no environment that this project takes; for Xcode turn on allowLocalStoreTesting in the settings of the project'

/** The cause is in the settings of this server, so it is no 4xx: on that an app finishes the transaction. */
const unknownXcode = (): AppError =>
  new AppError('FEATURE_NOT_CONFIGURED', { feature: 'local_store_testing' }, { message: NO_XCODE })

const NO_XCODE =
  "This server does not know the certificate of Xcode's local testing; save it from Xcode and name its PEM file in SVC_IOS_EXTRA_ROOTS"

/** The product that the caller names. It must be the product in the receipt. */
export function matchProduct({ catalog }: ProjectState, storeProductId: string, productId: string): Product {
  // The identifier of one product may be the store id of another one. The receipt decides which of the two is meant.
  const named = [catalog.productByIdentifier.get(productId), catalog.productByIosId.get(productId)]
  const products = named.filter((product) => product !== undefined)
  if (products.length === 0) throw new AppError('RECEIPT_PRODUCT_UNKNOWN', { productId })
  const product = products.find(({ iosId, identifier }) => (iosId ?? identifier) === storeProductId)
  if (!product) throw refused('it is for another product')
  return product
}

/** A purchase keeps its environment: a test certificate must never change a purchase that was paid. */
export function checkEnvironment({ environment }: DecodedTransaction, purchases: readonly PurchaseRow[]): void {
  if (purchases.some((purchase) => purchase.environment !== environment))
    throw refused('the purchase is of another environment')
}

const refused = (reason: string): AppError =>
  new AppError('RECEIPT_INVALID', undefined, {
    message: `The receipt did not pass verification (${reason}); do not send it again`,
  })

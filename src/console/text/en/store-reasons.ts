import type { ReasonCode } from '../../../core/reason/reasons'

/** Words for each reason that the server writes beside a notification or a scheduled action. */
type Words = Readonly<Record<ReasonCode, string>>

const reasons: Words = {
  OWNER_ERASED: 'The data of its owner was erased.',
  PURCHASE_GONE: 'The purchase no longer exists.',
  PROJECT_GONE: 'The project no longer exists.',
  CONNECTION_TEST: 'It is a test of the connection.',
  NOT_A_PURCHASE: 'It is not about a purchase.',
  NOT_A_PAID_PURCHASE: 'It is not about a paid purchase.',
  NOT_A_SALE: 'It is not about a sale.',
  SAYS_NOTHING: 'It says nothing about a purchase.',
  NO_CHANGE: 'Purchases of this kind stay as they are.',
  UNKNOWN_TYPE: 'This release does not know its type.',
  REFUND_NOT_ASKED: 'The store has asked no question about this refund here.',
  NO_PRICE: 'It names no price.',
  NOTHING_BOUGHT: 'Nothing was bought.',
  NOTHING_SAID: 'It says nothing new.',
  NOTHING_PAID: 'Nothing is paid yet.',
  PURCHASE_NOT_PAID: 'The purchase is not paid yet.',
  PURCHASE_CANCELLED: 'The purchase was cancelled.',
  PURCHASE_WITHOUT_PRODUCT: 'The purchase names no product.',
  PURCHASE_UNKNOWN: 'The store does not know the purchase.',
  PRODUCT_MISSING:
    'The purchase is recorded, but no product has the {idName} {storeProductId}. Add the product, then process this again.',
  UNLISTED_SALE: 'It sells no product of the catalogue, so it is kept as an unlisted sale.',
  FUNNEL_ELSEWHERE: 'It belongs to a funnel, and its payment was not begun in this project.',
  FUNNEL_UNSETTLED: 'It belongs to a funnel, and its payment is not settled.',
  OTHER_ENVIRONMENT: 'The purchase is of another environment.',
  NO_SELLING_ACCOUNT: 'The project sells through no account.',
  OTHER_ACCOUNT: 'It is of another account.',
  OTHER_PROJECT: 'Another project sold it through the same account.',
  OTHER_MODE: 'It is of {mode} mode, and the project sells in {own} mode.',
  UNSOLD_MODE: 'It is of the mode in which this project does not sell.',
  SALE_OF_OTHER_MODE: 'The sale is of the other mode.',
  PURCHASE_OF_OTHER_MODE: 'The purchase is of the other mode.',
  UNKNOWN_BY_KEY:
    'The provider does not know it under the saved key. If the key is of another account, save the right one, then process this again.',
  NOT_REPLAYABLE: 'Notifications of {store} cannot be processed again.',
  NO_IOS_CREDENTIALS: 'The project has no iOS credentials.',
  ENDED_BEFORE: 'The purchase had ended before ({status}).',
  ENDED_AT_STORE: 'The purchase had ended: {message}',
  NO_PAYMENT_ACCOUNT: 'The project has no payment account.',
  NO_ANDROID_CREDENTIALS: 'The project has no usable Android credentials.',
  PROVIDER_SILENT: 'The payment provider does not answer.',
  PROVIDER_UNREADABLE: 'The answer of the payment provider cannot be read at {field}.',
  PROVIDER_REFUSED: 'The payment provider refused: “{words}”',
  PLAY_SILENT: 'Google Play does not answer.',
  PLAY_UNKNOWN: 'Google Play does not know the subscription: “{words}”',
  PLAY_REFUSED: 'Google Play refused: “{words}”',
}

export const texts = {
  reasons,
  idNames: { 'payment id': 'payment ID', 'Android id': 'Android ID', 'store id': 'store ID' } as Readonly<
    Record<string, string>
  >,
}

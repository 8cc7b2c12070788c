import { ADDRESS_REASONS } from './addresses'
import { CERTIFICATE_REASONS } from './certificates'
import { COMPARE_REASONS } from './comparisons'
import { EXPORT_REASONS } from './exports'
import { IMPORT_REASONS } from './imports'
import { REQUEST_REASONS } from './requests'

/**
 * Why a notification of a store had no effect, a scheduled action was not carried out, an export, a comparison, an import
 * or a request of a person has stopped, or a name has no certificate: the sentences that this server writes to the row.
 * `{name}` is replaced by a value. The console finds the code of a sentence (`./read`) and has words for it in every
 * language. `words` are those of another system; `message` can be a reason too. The other files of this folder have the reasons of
 * other areas.
 */
export const REASONS = {
  OWNER_ERASED: 'its owner was erased',
  PURCHASE_GONE: 'the purchase is gone',
  PROJECT_GONE: 'the project is gone',
  // What the notification is about
  CONNECTION_TEST: 'a test of the connection',
  NOT_A_PURCHASE: 'it is not about a purchase',
  NOT_A_PAID_PURCHASE: 'it is not about a paid purchase',
  NOT_A_SALE: 'it is not about a sale',
  SAYS_NOTHING: 'it says nothing of a purchase',
  NO_CHANGE: 'purchases of this kind stay as they are',
  UNKNOWN_TYPE: 'its type is not known to this release',
  REFUND_NOT_ASKED: 'the store asked nothing here about this refund',
  NO_PRICE: 'it names no price',
  NOTHING_BOUGHT: 'nothing was bought',
  NOTHING_SAID: 'nothing was said',
  NOTHING_PAID: 'nothing is paid yet',
  PURCHASE_NOT_PAID: 'the purchase is not paid yet',
  PURCHASE_CANCELLED: 'the purchase was cancelled',
  PURCHASE_WITHOUT_PRODUCT: 'the purchase names no product',
  PURCHASE_UNKNOWN: 'the store does not know the purchase',
  PRODUCT_MISSING:
    'the purchase is recorded, but no product has the {idName} {storeProductId}: add the product, then replay this',
  UNLISTED_SALE: 'it sells no product of the catalogue, so it is kept as an unlisted sale',
  FUNNEL_ELSEWHERE: 'it is of a funnel, and its payment was not begun in this project',
  FUNNEL_UNSETTLED: 'it is of a funnel, and its payment is not settled',
  // Accounts, modes and environments
  OTHER_ENVIRONMENT: 'the purchase is of another environment',
  NO_SELLING_ACCOUNT: 'the project sells through no account',
  OTHER_ACCOUNT: 'it is of another account',
  OTHER_PROJECT: 'another project sold it through the same account',
  OTHER_MODE: 'it is of {mode} mode, and the project sells in {own} mode',
  UNSOLD_MODE: 'it is of the mode that this project does not sell in',
  SALE_OF_OTHER_MODE: 'the sale is of the other mode',
  PURCHASE_OF_OTHER_MODE: 'the purchase is of the other mode',
  UNKNOWN_BY_KEY:
    'the provider knows nothing of it by the saved key: if the key is of another account, save the right one, then replay this',
  // Replays
  NOT_REPLAYABLE: '{store} notifications cannot be replayed',
  NO_IOS_CREDENTIALS: 'the project has no iOS credentials',
  // Scheduled cancellations
  ENDED_BEFORE: 'the purchase had ended before ({status})',
  ENDED_AT_STORE: 'the purchase had ended: {message}',
  NO_PAYMENT_ACCOUNT: 'the project has no payment account',
  NO_ANDROID_CREDENTIALS: 'the project has no usable Android credentials',
  PROVIDER_SILENT: 'the payment provider does not answer',
  PROVIDER_UNREADABLE: "the payment provider's answer is unreadable at {field}",
  PROVIDER_REFUSED: 'the payment provider refused ({words})',
  PLAY_SILENT: 'Google Play does not answer',
  PLAY_UNKNOWN: 'Google Play does not know the subscription ({words})',
  PLAY_REFUSED: 'Google Play refused ({words})',
  ...ADDRESS_REASONS,
  ...EXPORT_REASONS,
  ...COMPARE_REASONS,
  ...IMPORT_REASONS,
  ...REQUEST_REASONS,
  ...CERTIFICATE_REASONS,
} as const

export type ReasonCode = keyof typeof REASONS

/** The names of the values in a sentence. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type ReasonParams<Code extends ReasonCode> = Readonly<Record<NamesIn<(typeof REASONS)[Code]>, string>>

/** The sentence of a reason in English. */
export const reasonText = <Code extends ReasonCode>(
  code: Code,
  ...[params]: NamesIn<(typeof REASONS)[Code]> extends never ? [] : [ReasonParams<Code>]
): string => filledReason(REASONS[code], params ?? {})

export const filledReason = (text: string, params: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '')

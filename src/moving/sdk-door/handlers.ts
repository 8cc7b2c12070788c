import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { AdmittedCall, ArrivedCall, SdkAnswer } from './admitted'
import type { CallName } from './calls'
import { answerMapping, answerOfferings, answerProducts, brandingOf } from './catalog-handlers'
import { signOffers } from './offers'
import {
  answerAttributes,
  answerCurrencies,
  answerIdentify,
  answerReceipt,
  answerSubscriber,
  keepAdServicesToken,
  recallSubscriber,
} from './person-handlers'
import { withRestoreBehavior } from './receipts'
import { BAD_REQUEST, SdkRefusal } from './refusal'

type Handler = (ctx: Context, admitted: AdmittedCall) => Promise<SdkAnswer> | SdkAnswer

const REFUSED_OFFER = 7849
const unsupported = (): never => {
  throw new SdkRefusal(404, BAD_REQUEST, 'This server does not support this call')
}
const empty = (): SdkAnswer => ({ body: {} })

/** What each call is answered with. */
export const HANDLERS: Record<CallName, Handler> = {
  subscriber: answerSubscriber,
  offerings: answerOfferings,
  products: answerProducts,
  identify: answerIdentify,
  receipts: answerReceipt,
  attributes: answerAttributes,
  virtualCurrencies: answerCurrencies,
  productEntitlementMapping: answerMapping,
  offers: async (ctx, { caller, body }) => ({ body: await signOffers(ctx, caller.project, body) }),
  introEligibility: (_ctx, { body }) => ({ body: unknownEligibility(body.product_identifiers) }),
  restoreEligibility: (_ctx, { caller }) => ({
    body: { is_purchase_allowed_by_restore_behavior: mayMove(caller.project) },
  }),
  adServicesAttribution: keepAdServicesToken,
  attribution: empty,
  alias: empty,
  events: empty,
  diagnostics: empty,
  health: empty,
  healthReportAvailability: () => ({ body: { report_logs: false } }),
  workflows: () => ({ body: { workflows: [], ui_config: {} } }),
  branding: (_ctx, { caller }) => ({ body: brandingOf(caller) }),
  redeem: () => {
    throw new SdkRefusal(404, REFUSED_OFFER, 'This redemption link is not known')
  },
  customerCenter: unsupported,
  config: unsupported,
  unsupported,
}

/** The caller and the answer of a call that needs no read and no wait; null for a call that needs one. */
export const recallAnswer = (ctx: Context, arrived: ArrivedCall) =>
  arrived.call.name === 'subscriber' ? recallSubscriber(ctx, arrived) : null

/** Whether a purchase of another person can move to the caller at all. */
const mayMove = (project: ProjectState): boolean => withRestoreBehavior(project).settings.purchaseTransfer !== 'never'

const MAX_PRODUCTS = 200

/** Earlier trials are known to the store on the phone, so the SDK asks it where the answer is null. */
function unknownEligibility(ids: unknown): Record<string, null> {
  const known = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, MAX_PRODUCTS) : []
  return Object.fromEntries(known.map((id) => [id, null]))
}

import type Stripe from 'stripe'
import type { BillingKeys, CloudConfig, Tier } from '../../base/config-cloud'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { CircuitBreaker } from '../../base/lib/circuit'
import { outsideClock } from '../../base/lib/clock'
import { Provider, type ProviderResult } from '../../stores/payment/provider'
import { received } from '../../stores/payment/received'
import { changeCustomer, createCustomer, listCards, setDefaultCard, setUpCard, stateOfCustomer } from './live-cards'
import { findInvoice, hasUnpaid, listInvoices } from './live-invoice'
import { endNow, listSubscriptions, payOpen, previewSwitch, setCancelled, subscribe, switchPlan } from './live-plans'
import type { BillingProvider } from './provider'
import { priceOfTier, readSubscription } from './subscription-object'

declare module '../../base/state' {
  interface SliceState {
    /** Shared by all projects: they are charged through one account. */
    billingCircuit: CircuitBreaker
  }
}

/** The operator's own account at the payment provider. */
export function liveProvider(ctx: Context, cloud: CloudConfig, { secretKey }: BillingKeys): BillingProvider {
  const circuit = ctx.state.billingCircuit
  const account = new Provider({
    ...{ apiUrl: ctx.config.storeUrls.payment, secretKey, account: null, circuit, clock: outsideClock(ctx) },
  })
  const call = async <Value>(work: (stripe: Stripe) => Promise<Value>) => unwrap(await account.call(work))
  const price = (tier: Tier) => priceOfPlan(cloud, tier)
  return {
    createCustomer: (owner) => call((stripe) => createCustomer(stripe, owner)),
    stateOfCustomer: (id) => call((stripe) => stateOfCustomer(stripe, id)),
    changeCustomer: (id, details) => call((stripe) => changeCustomer(stripe, id, details)),
    setUpCard: (customer) => call((stripe) => setUpCard(stripe, customer)),
    listCards: (customer) => call((stripe) => listCards(stripe, customer)),
    setDefaultCard: (customer, id) => call((stripe) => setDefaultCard(stripe, customer, id)),
    removeCard: (id) =>
      call(async (stripe) => void received(await stripe.paymentMethods.detach(id), 'payment_method', id)),
    listSubscriptions: (customer) =>
      call(async (stripe) =>
        (await listSubscriptions(stripe, customer)).flatMap((one) => readSubscription(cloud, one) ?? []),
      ),
    subscribe: (wanted) => call((stripe) => subscribe(stripe, wanted, price(wanted.tier), ctx.clock.now())),
    switchPlan: (wanted) => call((stripe) => switchPlan(stripe, wanted, price(wanted.tier))),
    previewSwitch: ({ subscriptionId, tier }) => call((stripe) => previewSwitch(stripe, subscriptionId, price(tier))),
    payOpen: (subscription, cardId) => call((stripe) => payOpen(stripe, subscription, cardId)),
    setCancelled: (id, isCancelled) =>
      call(async (stripe) => readSubscription(cloud, await setCancelled(stripe, id, isCancelled))),
    endNow: (id) => call((stripe) => endNow(stripe, id)),
    listInvoices: (customer, until, most) => call((stripe) => listInvoices(stripe, { customer, until, most })),
    hasUnpaidInvoice: (customer) => call((stripe) => hasUnpaid(stripe, customer)),
    findInvoice: async (id) => {
      if (!/^in_\w{1,97}$/.test(id)) return null
      const found = await account.call((stripe) => findInvoice(stripe, id))
      return !found.ok && found.reason === 'rejected' && found.status === 404 ? null : unwrap(found)
    },
  }
}

function unwrap<Value>(result: ProviderResult<Value>): Value {
  if (result.ok) return result.value
  if (result.reason === 'unavailable') throw new AppError('STORE_UNAVAILABLE', undefined, { cause: result.cause })
  if (result.reason !== 'rejected') throw new AppError('STORE_API_ERROR')
  const { providerRequestId, providerErrorType, providerErrorCode } = result
  throw new AppError('PAYMENT_PROVIDER_REJECTED', { providerRequestId, providerErrorType, providerErrorCode })
}

function priceOfPlan(cloud: CloudConfig, tier: Tier): string {
  const id = priceOfTier(cloud, tier)
  if (id === null) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'billing' })
  return id
}

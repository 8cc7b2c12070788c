import type { CheckoutMark } from '../core/after-checkout'
import type { Client, InnerClient } from '../core/client'
import { CHECKOUT } from '../core/keys'

export interface CheckoutOptions {
  offeringIdentifier: string
  packageIdentifier: string
  /** Where the provider returns to after the purchase. */
  successUrl: string
  /** Where the provider returns to without a purchase. */
  cancelUrl: string
}

/** The page of the provider. */
export interface ProviderPage {
  url: string
}

/**
 * Opens the page of the provider on which the user pays. After the return to `successUrl`, `entitlements` waits up to 30
 * seconds for the purchase. Where there is no browser, open `url` yourself.
 */
export async function checkout(client: Client, options: CheckoutOptions): Promise<ProviderPage> {
  const { core } = (client as InnerClient).inner
  const page = await core.send<ProviderPage>('/checkout', options)
  const had = client.peek('entitlements')?.value.filter(({ isActive }) => isActive) ?? []
  const mark: CheckoutMark = { page: options.successUrl.replace(/[?#].*/, ''), had: had.map(({ id }) => id) }
  core.memory.set(CHECKOUT, mark)
  core.globals.location?.assign(page.url)
  return page
}

/** Opens the page of the provider on which the user changes or ends a subscription. */
export async function billingPortal(client: Client, options: { returnUrl: string }): Promise<ProviderPage> {
  const { core } = (client as InnerClient).inner
  const page = await core.send<ProviderPage>('/billing-portal', options)
  core.globals.location?.assign(page.url)
  return page
}

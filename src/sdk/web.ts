import type { CheckoutOptions, ProviderPage } from './checkout'
import { lastClient } from './core/module'

// What the server serves as `/sdk/svc.js`: the core, and the checkout on the client that was configured last.
export * from './core'

const load = () => {
  const client = lastClient()
  return import('./checkout').then((module) => ({ ...module, client }))
}

export const checkout = async (options: CheckoutOptions): Promise<ProviderPage> => {
  const { checkout, client } = await load()
  return checkout(client, options)
}

export const billingPortal = async (options: { returnUrl: string }): Promise<ProviderPage> => {
  const { billingPortal, client } = await load()
  return billingPortal(client, options)
}

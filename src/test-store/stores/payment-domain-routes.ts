import type Stripe from 'stripe'
import { type Answer, type Form, textAt } from './payment-form'
import type { PaymentWorld } from './payment-world'

// The domains on which the account shows the wallets of browsers.

const MISSING: Answer = { status: 404, type: 'invalid_request_error', code: 'resource_missing' }

/** All of the account, or those of a name; `enabled` selects them as the provider does. */
export const listDomains = (world: PaymentWorld, form: Form): Answer => {
  const [name, enabled] = [textAt(form, 'domain_name'), textAt(form, 'enabled')]
  const data = [...world.methodDomains.values()].filter(
    (one) => (name === null || one.domain_name === name) && (enabled === null || one.enabled === (enabled === 'true')),
  )
  return { object: { object: 'list', data, has_more: false, url: '/v1' } }
}

export const createDomain = (world: PaymentWorld, form: Form): Answer => {
  const name = textAt(form, 'domain_name')
  if (!name) return { status: 400, type: 'invalid_request_error', code: 'parameter_missing' }
  const [on, off] = [{ status: 'active' as const }, { status: 'inactive' as const }]
  const domain: Stripe.PaymentMethodDomain = {
    ...{ id: world.nextId('pmd'), object: 'payment_method_domain', created: world.now, livemode: false },
    ...{ domain_name: name, enabled: true, apple_pay: on, google_pay: on, link: on },
    ...{ amazon_pay: off, klarna: off, paypal: off },
  }
  world.methodDomains.set(domain.id, domain)
  return { object: domain }
}

export function updateDomain(world: PaymentWorld, form: Form, id: string): Answer {
  const domain = world.methodDomains.get(id)
  if (!domain) return MISSING
  const changed = { ...domain, enabled: textAt(form, 'enabled') === 'true' }
  world.methodDomains.set(id, changed)
  return { object: changed }
}

export function validateDomain(world: PaymentWorld, _form: Form, id: string): Answer {
  const domain = world.methodDomains.get(id)
  return domain ? { object: domain } : MISSING
}

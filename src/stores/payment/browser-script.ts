/**
 * The provider's script, which may be loaded from nowhere else: `/<release>/stripe.js`, as the provider's own loader
 * (`@stripe/stripe-js` 10) has it. Its release must be that of the API version in use.
 */
export const PROVIDER_SCRIPT = 'https://js.stripe.com/endive/stripe.js'

/** What a page with the provider's card form loads from it, which forbids to serve its script from elsewhere. */
export const PROVIDER_SOURCES = {
  script: ['https://js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}

import type { Card } from '../../operators/plan-billing/provider'
import { CARD_KINDS, type CardKind, nextId, type Scene, type TestCard } from './world'

/** The provider's names of test cards. */
const NAMES: Readonly<Record<string, CardKind>> = {
  pm_card_visa: 'visa',
  pm_card_mastercard: 'master',
  pm_card_visa_chargeDeclined: 'declined',
  pm_card_chargeDeclined: 'declined',
  pm_card_chargeCustomerFail: 'fails',
  pm_card_authenticationRequired: 'authenticate',
  pm_card_authenticationRequiredOnSetup: 'authenticate',
}

/** Gives a customer a card of a kind; null for a name that is no test card. */
export function addCard(scene: Scene, customerId: string, name: string): string | null {
  const kind = CARD_KINDS.find((one) => one === name) ?? (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined)
  if (kind === undefined) return null
  const id = nextId(scene, 'pm')
  scene.world.cards[id] = { customerId, kind, isAuthenticated: false }
  return id
}

export function removeCard({ world }: Scene, id: string): void {
  const customer = world.customers[world.cards[id]?.customerId ?? '']
  if (customer?.defaultCard === id) customer.defaultCard = null
  delete world.cards[id]
}

const LAST4: Readonly<Record<CardKind, string>> = {
  ...{ visa: '4242', master: '4444', declined: '0002', fails: '0341', authenticate: '3184' },
}

export const toCard = (id: string, { kind }: TestCard): Card => ({
  id,
  brand: kind === 'master' ? 'mastercard' : 'visa',
  last4: LAST4[kind],
  expMonth: 12,
  expYear: 2099,
})

import type { Tier } from '../../base/config-cloud'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Money } from '../../base/lib/money'
import { addMonths } from '../../base/lib/period'
import {
  type BilledInvoice,
  type BillingProvider,
  type Confirmation,
  NOTHING_TO_CONFIRM,
  type Owner,
} from '../../operators/plan-billing/provider'
import { addCard, removeCard, toCard } from './cards'
import { callStore } from './scene'
import {
  type BillingWorld,
  collect,
  defaultCardOf,
  end,
  makeInvoice,
  nextId,
  openOf,
  pay,
  type Scene,
  startOfPeriod,
  type TestInvoice,
  type TestSubscription,
  tell,
  tellSubscription,
  toAmount,
  totalOf,
} from './world'

/** The test store as the provider that charges a project for its plan. */
export function testBilling(ctx: Context, projectId: string): BillingProvider {
  const call = <Result>(work: (scene: Scene) => Result) => callStore(ctx, projectId, work)
  return {
    createCustomer: (owner) => call((scene) => createCustomer(scene, owner)),
    stateOfCustomer: (id) => call(({ world }) => (Object.hasOwn(world.customers, id) ? 'PRESENT' : 'UNKNOWN')),
    changeCustomer: (id, { address }) =>
      call((scene) => void Object.assign(customerOf(scene, id), { country: address.country })),
    setUpCard: (customerId) => call((scene) => newSecret(scene, 'seti', customerId, null)),
    listCards: (customerId) =>
      call((scene) => ({
        cards: Object.entries(scene.world.cards).flatMap(([id, one]) =>
          one.customerId === customerId ? [toCard(id, one)] : [],
        ),
        defaultId: scene.world.customers[customerId]?.defaultCard ?? null,
      })),
    setDefaultCard: (customerId, cardId) =>
      call((scene) => void Object.assign(customerOf(scene, customerId), { defaultCard: cardId })),
    removeCard: (cardId) => call((scene) => removeCard(scene, cardId)),
    listSubscriptions: (customerId) =>
      call(({ world }) =>
        Object.values(world.subscriptions)
          .filter((one) => one.customerId === customerId)
          .map(toReport),
      ),
    subscribe: (wanted) =>
      call((scene) => {
        const made = scene.world.keys[wanted.key]
        const cardId = wanted.cardId === null ? null : knownCard(scene, wanted.customerId, wanted.cardId)
        const one = made === undefined ? null : subscriptionOf(scene, made)
        if (one && one.tier !== wanted.tier) throw rejected(400, 'idempotency_error', 'idempotency_key_in_use')
        return one ? confirmationOf(scene, one) : begin(scene, { ...wanted, cardId })
      }),
    switchPlan: ({ subscriptionId, tier, when, cardId }) =>
      call((scene) => {
        const one = subscriptionOf(scene, subscriptionId)
        if (cardId !== null) customerOf(scene, one.customerId).defaultCard = knownCard(scene, one.customerId, cardId)
        return when === 'NOW' ? switchNow(scene, one, tier) : switchLater(scene, one, tier, when === 'BACK')
      }),
    previewSwitch: ({ subscriptionId, tier }) =>
      call((scene) => differenceOf(scene, subscriptionOf(scene, subscriptionId), tier)),
    payOpen: (subscriptionId, cardId) => call((scene) => payOpen(scene, subscriptionId, cardId)),
    setCancelled: (subscriptionId, isCancelled) =>
      call((scene) => {
        const one = subscriptionOf(scene, subscriptionId)
        one.cancelAt = isCancelled ? one.periodEnd : null
        tellSubscription(scene, 'updated', one)
        return toReport(one)
      }),
    endNow: (subscriptionId) =>
      call((scene) => {
        const one = scene.world.subscriptions[subscriptionId]
        if (one?.status === 'incomplete') end(scene, one, 'incomplete_expired')
        else if (one && one.status !== 'canceled' && one.status !== 'incomplete_expired') end(scene, one, 'canceled')
      }),
    listInvoices: (customerId, until, most) =>
      call(({ world }) => {
        const all = invoicesOf(world, customerId).filter(({ createdAt }) => until === null || createdAt <= until)
        const border = all[most - 1]
        return all.filter(({ createdAt }) => !border || createdAt >= border.createdAt).map(toInvoice)
      }),
    hasUnpaidInvoice: (customerId) =>
      call(({ world }) => invoicesOf(world, customerId).some(({ status }) => status === 'draft' || status === 'open')),
    findInvoice: (id) =>
      call(({ world }) => {
        const found = Object.hasOwn(world.invoices, id) ? world.invoices[id] : undefined
        return found ? toInvoice(found) : null
      }),
  }
}

function payOpen(scene: Scene, subscriptionId: string, cardId: string | null): Confirmation {
  const one = subscriptionOf(scene, subscriptionId)
  if (cardId !== null) customerOf(scene, one.customerId).defaultCard = knownCard(scene, one.customerId, cardId)
  const asked = openOf(scene, one.id).flatMap((invoice) => ask(scene, one, invoice) ?? [])
  return asked.at(-1) ?? NOTHING_TO_CONFIRM
}

const rejected = (status: number, providerErrorType: string, providerErrorCode: string): AppError =>
  new AppError('PAYMENT_PROVIDER_REJECTED', {
    providerRequestId: `req_test_${status}`,
    providerErrorType,
    providerErrorCode,
  })

const unknown = (): AppError => rejected(404, 'invalid_request_error', 'resource_missing')

function createCustomer(scene: Scene, { ownerId, details, replaces }: Owner): string {
  const key = ['customer', scene.projectId, ownerId, ...(replaces === null ? [] : [replaces])].join(' ')
  const id = scene.world.keys[key] ?? nextId(scene, 'cus')
  scene.world.keys[key] = id
  scene.world.customers[id] ??= { defaultCard: null, country: details?.address.country ?? null }
  return id
}

export function customerOf({ world }: Scene, id: string) {
  const customer = world.customers[id]
  if (!customer) throw unknown()
  return customer
}

export function subscriptionOf({ world }: Scene, id: string): TestSubscription {
  const one = world.subscriptions[id]
  if (!one) throw unknown()
  return one
}

/** A card of the customer, or one of the provider's own test names, which becomes a card of the customer. */
function knownCard(scene: Scene, customerId: string, name: string): string {
  const card = Object.hasOwn(scene.world.cards, name) ? scene.world.cards[name] : undefined
  const id = card?.customerId === customerId ? name : addCard(scene, customerId, name)
  if (id === null) throw unknown()
  return id
}

export function newSecret(scene: Scene, prefix: 'seti' | 'pi', customerId: string, invoiceId: string | null): string {
  const secret = `${nextId(scene, prefix)}_secret_test`
  scene.world.secrets[secret] = { customerId, isDone: false, invoiceId }
  return secret
}

type Begun = Parameters<BillingProvider['subscribe']>[0]

function begin(scene: Scene, { customerId, tier, cardId, startsAt, key }: Begun): Confirmation {
  const { now, world } = scene
  if (cardId !== null) customerOf(scene, customerId).defaultCard = cardId
  const one: TestSubscription = {
    ...{ id: nextId(scene, 'sub'), customerId, tier, startedAt: now, periodEnd: startsAt ?? addMonths(now, 1) },
    ...{ status: startsAt === null ? 'incomplete' : 'trialing', cancelAt: null, paidTier: null, paidUntil: null },
    ...{ pending: null, nextTryAt: null, tries: 0, anchor: startsAt ?? now },
  }
  world.subscriptions[one.id] = one
  world.keys[key] = one.id
  tellSubscription(scene, 'created', one)
  if (startsAt !== null) return NOTHING_TO_CONFIRM
  const { amountMicros, currency } = scene.priceOf(tier)
  const line = { text: `${tier}, one month`, quantity: 1, amountMicros }
  return ask(scene, one, makeInvoice(scene, one, { lines: [line], currency })) ?? NOTHING_TO_CONFIRM
}

/** Tries to collect an invoice. What the browser has to confirm when that fails; null when it was paid. */
function ask(scene: Scene, one: TestSubscription, invoice: TestInvoice): Confirmation | null {
  if (collect(scene, invoice, defaultCardOf(scene, one)) === 'PAID') return null
  return { clientSecret: newSecret(scene, 'pi', one.customerId, invoice.id), kind: 'payment' }
}

function confirmationOf(scene: Scene, one: TestSubscription): Confirmation {
  const open = openOf(scene, one.id)[0]
  return open ? { clientSecret: newSecret(scene, 'pi', one.customerId, open.id), kind: 'payment' } : NOTHING_TO_CONFIRM
}

/** What the rest of the period costs more with another plan, to the cent. */
function differenceOf(scene: Scene, one: TestSubscription, tier: Tier): Money {
  const [old, next] = [scene.priceOf(one.tier), scene.priceOf(tier)]
  const start = startOfPeriod(one)
  const share = Math.max(0, Math.min(1, (one.periodEnd - scene.now) / (one.periodEnd - start)))
  const cents = (micros: number) => Math.round((micros * share) / 10_000) * 10_000
  return { amountMicros: cents(next.amountMicros) - cents(old.amountMicros), currency: next.currency }
}

function switchNow(scene: Scene, one: TestSubscription, tier: Tier): Confirmation {
  for (const open of openOf(scene, one.id)) if (open.id === one.pending?.invoiceId) open.status = 'void'
  const { amountMicros, currency } = differenceOf(scene, one, tier)
  const line = { text: `${tier} instead of ${one.tier}, for the rest of the period`, quantity: 1, amountMicros }
  const invoice = makeInvoice(scene, one, { lines: [line], currency })
  one.pending = { tier, invoiceId: invoice.id }
  return ask(scene, one, invoice) ?? NOTHING_TO_CONFIRM
}

function switchLater(scene: Scene, one: TestSubscription, tier: Tier, isBack: boolean): Confirmation {
  const paid = isBack
    ? { paidTier: null, paidUntil: null }
    : { paidTier: one.paidTier ?? one.tier, paidUntil: one.periodEnd }
  Object.assign(one, { tier, ...paid })
  tellSubscription(scene, 'updated', one)
  return NOTHING_TO_CONFIRM
}

/** Newest first. */
const invoicesOf = ({ invoices }: BillingWorld, customerId: string): TestInvoice[] =>
  Object.values(invoices)
    .filter((one) => one.customerId === customerId)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))

const toReport = ({ pending: _, nextTryAt: _next, tries: _tries, anchor: _anchor, ...report }: TestSubscription) =>
  report

const toInvoice = (one: TestInvoice): BilledInvoice => ({
  ...{ id: one.id, customerId: one.customerId, number: one.number, status: one.status, total: toAmount(totalOf(one)) },
  ...{ currency: one.currency, pdfUrl: null, createdAt: one.createdAt, periodStart: one.periodStart },
  lines: one.lines.map(({ text, quantity, amountMicros }) => ({ text, quantity, amount: toAmount(amountMicros) })),
})

/** The browser confirms with a card: a card is saved, or a payment made. False when the bank declines. */
export function confirm(scene: Scene, secret: string, kind: string): boolean {
  const waiting = Object.hasOwn(scene.world.secrets, secret) ? scene.world.secrets[secret] : undefined
  if (!waiting || waiting.isDone) throw unknown()
  const cardId = addCard(scene, waiting.customerId, kind)
  if (cardId === null) throw unknown()
  const card = scene.world.cards[cardId]
  if (!card || card.kind === 'declined') {
    delete scene.world.cards[cardId]
    return false
  }
  card.isAuthenticated = true
  customerOf(scene, waiting.customerId).defaultCard = cardId
  tell(scene, 'payment_method.attached', { id: cardId, object: 'payment_method', customer: waiting.customerId })
  const invoice = waiting.invoiceId === null ? undefined : scene.world.invoices[waiting.invoiceId]
  if (invoice && invoice.status !== 'open') throw unknown()
  waiting.isDone = !invoice || card.kind !== 'fails'
  if (invoice && waiting.isDone) pay(scene, invoice)
  return waiting.isDone
}

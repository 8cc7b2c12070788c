import type { Tier } from '../../base/config-cloud'
import { DAY, HOUR, SECOND } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import { addMonths } from '../../base/lib/period'
import { toDecimal } from '../../core/money/money'
import { testPrice } from '../../operators/plan-billing/subscription-object'
import type { SubscriptionReport } from '../../projects/billing/life'
import { NO_TROUBLE, type Trouble } from '../stores/world'

/** The account of a project at the test store, as it is saved. All instants are of its own clock. */
export interface BillingWorld {
  /** How far its clock is ahead of ours. */
  leadMs: number
  count: number
  trouble: Trouble
  customers: Record<string, { defaultCard: string | null; country: string | null }>
  cards: Record<string, TestCard>
  /** What a browser can confirm, by its secret. */
  secrets: Record<string, Secret>
  subscriptions: Record<string, TestSubscription>
  invoices: Record<string, TestInvoice>
  /** Objects by the key of the request that made them. */
  keys: Record<string, string>
  /** Events that were not delivered yet. */
  waiting: { event: TestEvent; deliverAt: number }[]
}

export const CARD_KINDS = ['visa', 'master', 'declined', 'fails', 'authenticate'] as const
export type CardKind = (typeof CARD_KINDS)[number]

export interface TestCard {
  customerId: string
  kind: CardKind
  /** The bank has confirmed it once, so it asks no more. */
  isAuthenticated: boolean
}

type Secret = { customerId: string; isDone: boolean; invoiceId: string | null }

export type TestSubscription = SubscriptionReport & {
  pending: { tier: Tier; invoiceId: string } | null
  nextTryAt: number | null
  tries: number
  /** Its periods end at this time of the month, cut to the length of the month; absent = `startedAt`. */
  anchor?: number
}

export interface TestInvoice {
  id: string
  customerId: string
  subscriptionId: string
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'void'
  lines: { text: string; quantity: number; amountMicros: number }[]
  currency: string
  createdAt: number
  periodStart: number
  /** When a draft becomes final. */
  dueAt: number
}

export interface TestEvent {
  id: string
  type: string
  created: number
  data: { object: Record<string, unknown> }
}

export const NEW_WORLD: BillingWorld = {
  ...{ leadMs: 0, count: 0, trouble: NO_TROUBLE, customers: {}, cards: {}, secrets: {}, subscriptions: {} },
  ...{ invoices: {}, keys: {}, waiting: [] },
}

/** A world at one instant of its clock, with the prices of the plans. */
export interface Scene {
  projectId: string
  world: BillingWorld
  now: number
  priceOf(tier: Tier): Money
}

/** Each project has a store of its own, so its id makes the ids different from those of the other projects. */
export const nextId = (scene: Scene, prefix: string): string => {
  scene.world.count += 1
  return `${prefix}_test_${String(scene.world.count).padStart(8, '0')}_${scene.projectId}`
}

export const totalOf = ({ lines }: TestInvoice): number =>
  lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0)

/** Tells the server of a change, as a provider does it. */
export function tell(scene: Scene, type: string, object: Record<string, unknown>): void {
  const event = { id: nextId(scene, 'evt'), type, created: Math.floor(scene.now / SECOND), data: { object } }
  scene.world.waiting.push({ event, deliverAt: scene.now + scene.world.trouble.delayMs })
}

export const tellSubscription = (scene: Scene, type: 'created' | 'updated' | 'deleted', one: TestSubscription): void =>
  tell(scene, `customer.subscription.${type}`, toProviderSubscription(one))

const seconds = (instant: number | null): number | null => (instant === null ? null : Math.floor(instant / SECOND))

/** In the form in which the provider's events show it. */
function toProviderSubscription(one: TestSubscription): Record<string, unknown> {
  const { paidTier, paidUntil } = one
  const item = { price: { id: testPrice(one.tier) }, current_period_end: seconds(one.periodEnd) }
  return {
    ...{ id: one.id, object: 'subscription', customer: one.customerId, status: one.status },
    ...{ created: seconds(one.startedAt), cancel_at: seconds(one.cancelAt), items: { data: [item] } },
    metadata: paidTier === null ? {} : { svcPaidTier: paidTier, svcPaidUntil: String(seconds(paidUntil)) },
  }
}

const tellInvoice = (scene: Scene, type: string, { id, customerId, subscriptionId, status }: TestInvoice): void =>
  tell(scene, `invoice.${type}`, { id, object: 'invoice', customer: customerId, subscription: subscriptionId, status })

interface Charge {
  lines: TestInvoice['lines']
  currency: string
  isDraft?: boolean
}

export function makeInvoice(
  scene: Scene,
  one: TestSubscription,
  { lines, currency, isDraft = false }: Charge,
): TestInvoice {
  const { now, world } = scene
  const invoice: TestInvoice = {
    ...{ id: nextId(scene, 'in'), customerId: one.customerId, subscriptionId: one.id, number: null, status: 'draft' },
    ...{ lines, currency, createdAt: now, periodStart: now, dueAt: isDraft ? now + HOUR : now },
  }
  world.invoices[invoice.id] = invoice
  tellInvoice(scene, 'created', invoice)
  return isDraft ? invoice : finalise(scene, invoice)
}

function finalise(scene: Scene, invoice: TestInvoice): TestInvoice {
  const count = Object.values(scene.world.invoices).filter(({ number }) => number !== null).length
  Object.assign(invoice, { status: 'open', number: `SVC-${String(count + 1).padStart(4, '0')}` })
  tellInvoice(scene, 'finalized', invoice)
  return invoice
}

export type Outcome = 'PAID' | 'DECLINED' | 'AUTHENTICATE' | 'NO_CARD'

/** Tries to collect an open invoice with a card. */
export function collect(scene: Scene, invoice: TestInvoice, cardId: string | null): Outcome {
  const card = cardId === null ? undefined : scene.world.cards[cardId]
  const outcome = outcomeOf(card)
  if (outcome === 'PAID') pay(scene, invoice)
  else tellInvoice(scene, outcome === 'AUTHENTICATE' ? 'payment_action_required' : 'payment_failed', invoice)
  return outcome
}

function outcomeOf(card: TestCard | undefined): Outcome {
  if (!card) return 'NO_CARD'
  if (card.kind === 'declined' || card.kind === 'fails') return 'DECLINED'
  return card.kind === 'authenticate' && !card.isAuthenticated ? 'AUTHENTICATE' : 'PAID'
}

/** The invoice is paid: its subscription runs, with the plan that was waiting for the payment. */
export function pay(scene: Scene, invoice: TestInvoice): void {
  invoice.status = 'paid'
  tellInvoice(scene, 'paid', invoice)
  const one = scene.world.subscriptions[invoice.subscriptionId]
  if (!one || one.status === 'canceled' || one.status === 'incomplete_expired') return
  if (one.pending?.invoiceId === invoice.id) Object.assign(one, { tier: one.pending.tier, pending: null })
  if (one.periodEnd <= scene.now) restart(one, scene.now)
  Object.assign(one, { status: 'active', nextTryAt: null, tries: 0 })
  tellSubscription(scene, 'updated', one)
}

export const defaultCardOf = ({ world }: Scene, { customerId }: TestSubscription): string | null =>
  world.customers[customerId]?.defaultCard ?? null

/** The next instant at which something happens by itself; null = nothing will. */
export function nextDue({ subscriptions, invoices }: BillingWorld): number | null {
  const instants = [
    ...Object.values(subscriptions).flatMap(dueOf),
    ...Object.values(invoices).flatMap(({ status, dueAt }) => (status === 'draft' ? [dueAt] : [])),
  ]
  return instants.length === 0 ? null : Math.min(...instants)
}

const INCOMPLETE_MS = 23 * HOUR

function dueOf({ status, periodEnd, startedAt, nextTryAt }: TestSubscription): number[] {
  if (status === 'incomplete') return [startedAt + INCOMPLETE_MS]
  const tries = nextTryAt === null ? [] : [nextTryAt]
  if (status === 'active' || status === 'trialing') return [periodEnd, ...tries]
  return status === 'past_due' ? tries : []
}

/** Performs all that is due, in order: the scene's clock is set to each of these instants, and to `now` at the end. */
export function settleDue(scene: Scene): void {
  const { now } = scene
  for (let due = nextDue(scene.world); due !== null && due <= now; due = nextDue(scene.world)) settleAt(scene, due)
  scene.now = now
}

function settleAt(scene: Scene, due: number): void {
  scene.now = due
  for (const invoice of Object.values(scene.world.invoices))
    if (invoice.status === 'draft' && invoice.dueAt <= due) charge(scene, finalise(scene, invoice))
  for (const one of Object.values(scene.world.subscriptions)) if (dueOf(one).some((at) => at <= due)) turn(scene, one)
}

function turn(scene: Scene, one: TestSubscription): void {
  if (one.status === 'incomplete') end(scene, one, 'incomplete_expired')
  else if (one.status === 'past_due') retry(scene, one)
  else if (one.cancelAt !== null && one.cancelAt <= scene.now) end(scene, one, 'canceled')
  else renew(scene, one)
}

export function end(scene: Scene, one: TestSubscription, status: 'canceled' | 'incomplete_expired'): void {
  Object.assign(one, { status, pending: null, nextTryAt: null })
  for (const invoice of Object.values(scene.world.invoices))
    if (invoice.subscriptionId === one.id && status === 'incomplete_expired' && invoice.status !== 'paid')
      invoice.status = 'void'
  tellSubscription(scene, status === 'canceled' ? 'deleted' : 'updated', one)
}

/** The first end of a period after an instant: from 31 January on 28 February, 31 March. */
function endAfter({ anchor, startedAt }: TestSubscription, instant: number): number {
  const first = anchor ?? startedAt
  let months = 1
  while (addMonths(first, months) <= instant) months++
  return addMonths(first, months)
}

/** The first instant of the running period. */
export function startOfPeriod(one: TestSubscription): number {
  const first = one.anchor ?? one.startedAt
  let months = 0
  while (addMonths(first, months) < one.periodEnd) months++
  return addMonths(first, months - 1)
}

/** A period starts at an instant, and so do the next ones. */
export function restart(one: TestSubscription, instant: number): void {
  Object.assign(one, { anchor: instant, periodEnd: addMonths(instant, 1) })
}

export function renew(scene: Scene, one: TestSubscription): void {
  Object.assign(one, { periodEnd: endAfter(one, scene.now), paidTier: null, paidUntil: null })
  const wasTrial = one.status === 'trialing'
  if (wasTrial) one.status = 'active'
  tellSubscription(scene, 'updated', one)
  const price = scene.priceOf(one.tier)
  const line = { text: `${one.tier}, one month`, quantity: 1, amountMicros: price.amountMicros }
  makeInvoice(scene, one, { lines: [line], currency: price.currency, isDraft: true })
}

function charge(scene: Scene, invoice: TestInvoice): void {
  const one = scene.world.subscriptions[invoice.subscriptionId]
  if (!one || one.status === 'canceled') return
  if (collect(scene, invoice, defaultCardOf(scene, one)) === 'PAID') return
  Object.assign(one, { status: 'past_due', tries: 1, nextTryAt: scene.now + 3 * DAY })
  tellSubscription(scene, 'updated', one)
}

/** Days after the first failure on which the provider tries again; after the last one it gives up. */
const TRIES = [3, 8, 15, 21]

function retry(scene: Scene, one: TestSubscription): void {
  const open = openOf(scene, one.id).at(0)
  if (open && collect(scene, open, defaultCardOf(scene, one)) === 'PAID') return
  const [done, next] = [TRIES[one.tries - 1] ?? 21, TRIES[one.tries]]
  one.tries += 1
  if (next === undefined) Object.assign(one, { status: 'unpaid', nextTryAt: null })
  else one.nextTryAt = scene.now + (next - done) * DAY
  tellSubscription(scene, 'updated', one)
}

export const openOf = ({ world }: Scene, subscriptionId: string): TestInvoice[] =>
  Object.values(world.invoices).filter((one) => one.subscriptionId === subscriptionId && one.status === 'open')

export const toAmount = (micros: number): string => toDecimal(micros, 2)

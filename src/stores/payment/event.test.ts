import { describe, expect, test } from 'bun:test'
import { PURCHASE_EVENTS, readEvent, type Subject } from './event'

const event = (members: object = {}) => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2019-05-16',
  created: 1_795_161_600,
  livemode: false,
  type: 'invoice.paid',
  data: { object: { id: 'in_1', object: 'invoice' } },
  ...members,
})

const about = (type: string, object: object) => readEvent(event({ type, data: { object } }))?.subject

test('an event has its own time, in milliseconds, and its account', () => {
  expect(readEvent(event({ account: 'acct_1', livemode: true }))).toEqual({
    id: 'evt_1',
    type: 'invoice.paid',
    createdAt: 1_795_161_600_000,
    isLive: true,
    account: 'acct_1',
    subject: { kind: 'INVOICE', invoiceId: 'in_1' },
  })
})

test('without an account it is of the key’s own', () => expect(readEvent(event())?.account).toBeNull())

test('every event that is asked for has a subject; the provider takes twenty names', () => {
  for (const type of PURCHASE_EVENTS) expect([type, about(type, { id: 'x', charge: 'ch_1' })]).not.toContain(null)
  expect(new Set(PURCHASE_EVENTS).size).toBeLessThanOrEqual(20)
})

describe('what an event is about', () => {
  const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_1', status: 'lost' }
  const refund = { id: 're_1', object: 'refund', charge: 'ch_1' }
  const cases: [type: string, object: object, subject: Subject][] = [
    ['customer.subscription.created', { id: 'sub_1' }, { kind: 'SUBSCRIPTION', subscriptionId: 'sub_1' }],
    ['customer.subscription.updated', { id: 'sub_1' }, { kind: 'SUBSCRIPTION', subscriptionId: 'sub_1' }],
    ['customer.subscription.deleted', { id: 'sub_1' }, { kind: 'SUBSCRIPTION', subscriptionId: 'sub_1' }],
    ['customer.subscription.hibernated', { id: 'sub_1' }, { kind: 'SUBSCRIPTION', subscriptionId: 'sub_1' }],
    ['invoice.paid', { id: 'in_1' }, { kind: 'INVOICE', invoiceId: 'in_1' }],
    ['checkout.session.completed', { id: 'cs_1' }, { kind: 'SESSION', sessionId: 'cs_1' }],
    ['checkout.session.async_payment_succeeded', { id: 'cs_1' }, { kind: 'SESSION', sessionId: 'cs_1' }],
    ['payment_intent.succeeded', { id: 'pi_1' }, { kind: 'PAYMENT', paymentIntentId: 'pi_1' }],
    ['charge.refunded', { id: 'ch_1', object: 'charge' }, { kind: 'CHARGE', chargeId: 'ch_1', dispute: null }],
    ['charge.refund.updated', refund, { kind: 'CHARGE', chargeId: 'ch_1', dispute: null }],
    ['refund.failed', refund, { kind: 'CHARGE', chargeId: 'ch_1', dispute: null }],
    ['refund.failed', { ...refund, charge: { id: 'ch_1' } }, { kind: 'CHARGE', chargeId: 'ch_1', dispute: null }],
    ['charge.dispute.closed', dispute, { kind: 'CHARGE', chargeId: 'ch_1', dispute }],
  ]
  for (const [type, object, subject] of cases)
    test(`${type} ${JSON.stringify(object)}`, () => expect(about(type, object)).toEqual(subject))

  const ignored = [
    'credit_note.created',
    'invoice.created',
    'invoice.payment_failed',
    'invoice.voided',
    'charge.succeeded',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'checkout.session.expired',
    'customer.updated',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'refund.created',
    'price.created',
    'something.of_2030',
  ]
  for (const type of ignored)
    test(`${type} says nothing of a purchase`, () => expect(about(type, { id: 'xx_1', charge: 'ch_1' })).toBeNull())

  const nameless: [type: string, object: object][] = [
    ['invoice.paid', {}],
    ['invoice.paid', { id: 7 }],
    ['invoice.paid', { id: 'has space' }],
    ['charge.dispute.closed', { id: 'dp_1', charge: null }],
    ['refund.failed', { id: 're_1', object: 'refund', charge: null }],
  ]
  for (const [type, object] of nameless)
    test(`${type} ${JSON.stringify(object)} names nothing to fetch`, () => expect(about(type, object)).toBeNull())
})

describe('what is no event', () => {
  const cases: [name: string, value: unknown][] = [
    ['nothing', null],
    ['a text', 'evt_1'],
    ['a list', [event()]],
    ['another object', event({ object: 'v2.core.event' })],
    ['no id', event({ id: undefined })],
    ['an id with a line break', event({ id: 'evt_1\n' })],
    ['no type', event({ type: '' })],
    ['a time as text', event({ created: '1795161600' })],
    ['a time before 1970', event({ created: -1 })],
    ['a time beyond four-digit years', event({ created: 1_795_161_600_000 })],
    ['no mode', event({ livemode: null })],
    ['an account that is none', event({ account: 7 })],
    ['no data', event({ data: {} })],
    ['data that is a list', event({ data: { object: [] } })],
  ]
  for (const [name, value] of cases) test(name, () => expect(readEvent(value)).toBeNull())
})

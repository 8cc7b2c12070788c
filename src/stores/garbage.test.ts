import { afterAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { GARBAGE } from '../../test/support/garbage'
import { CircuitBreaker } from '../base/lib/circuit'
import { AndroidServer } from '../test-store/stores/android-server'
import { startApiServer } from '../test-store/stores/api-server'
import { PlayClient } from './android/client'
import { GoogleKeys } from './android/google-keys'
import { readServiceAccount } from './android/service-account'
import { IosApiClient } from './ios/api-client'
import { PaymentClient } from './payment/client'

const NOW = Date.UTC(2026, 10, 20, 8)
const clock = { now: () => NOW }

let text = ''
const provider = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(text, { headers: { 'content-type': 'application/json' } }),
})
const google = await AndroidServer.start({ clock, packageName: 'com.example.sleep' })
const apple = startApiServer({ bundleId: 'com.example.app' })
afterAll(() => Promise.all([provider.stop(true), google.close(), apple.close()]))

/** A new client for each call: no answer before opens the circuit. */
const payments = () =>
  new PaymentClient({
    ...{ apiUrl: provider.url.origin, secretKey: 'sk_test_1', account: null },
    ...{ circuit: new CircuitBreaker(), clock },
  })

const span = { from: NOW - 1000, to: NOW }
const owner = { projectId: 'proj_1', subscriberId: 'sub_1' }
const refund = { payment: { charge: 'ch_1' }, purchaseId: 'pur_1', transactionId: 'txn_1' }
const providerCalls: Record<string, (client: PaymentClient) => Promise<{ ok: boolean }>> = {
  createCheckoutSession: (client) => client.createCheckoutSession({ mode: 'payment' }, 'key'),
  createPortalSession: (client) => client.createPortalSession({ customer: 'cus_1' }),
  getSubscription: (client) => client.getSubscription('sub_1'),
  getSchedule: (client) => client.getSchedule('sub_sched_1'),
  getInvoice: (client) => client.getInvoice('in_1'),
  listPaidInvoices: (client) => client.listPaidInvoices('sub_1'),
  findInvoiceOfPayment: (client) => client.findInvoiceOfPayment('pi_1'),
  getCheckoutSession: (client) => client.getCheckoutSession('cs_1'),
  findSessionOfPayment: (client) => client.findSessionOfPayment('pi_1'),
  getPaymentIntent: (client) => client.getPaymentIntent('pi_1'),
  getCharge: (client) => client.getCharge('ch_1'),
  listInvoiceItems: (client) => client.listInvoiceItems('in_1'),
  listCreditNotes: (client) => client.listCreditNotes('in_1'),
  listRefunds: (client) => client.listRefunds('ch_1'),
  refundCharge: (client) => client.refundCharge(refund),
  cancelAtPeriodEnd: (client) => client.cancelAtPeriodEnd('sub_1'),
  keepRenewing: (client) => client.keepRenewing('sub_1'),
  listEvents: (client) => client.listEvents(span, null),
  createBuyer: (client) => client.createBuyer({ email: 'ada@example.com' }, 'key'),
  createSubscription: (client) =>
    client.createSubscription({ customer: 'cus_1', items: [{ price: 'price_1' }] }, 'key'),
  endSubscription: (client) => client.endSubscription('sub_1'),
  createPaymentIntent: (client) => client.createPaymentIntent({ amount: 999, currency: 'usd' }, 'key'),
  cancelPaymentIntent: (client) => client.cancelPaymentIntent('pi_1'),
  getSetupIntent: (client) => client.getSetupIntent('seti_1'),
  findPromotionCode: (client) => client.findPromotionCode('SPRING'),
  getPrice: (client) => client.getPrice('price_1'),
  findMethodDomain: (client) => client.findMethodDomain('svc.example.com'),
  registerMethodDomain: (client) => client.registerMethodDomain('quiz.example.com'),
  disableMethodDomain: (client) => client.disableMethodDomain('quiz.example.com'),
  'findOrCreateCustomer, new': (client) => client.findOrCreateCustomer({ ...owner, customerId: null }),
  'findOrCreateCustomer, on record': (client) => client.findOrCreateCustomer({ ...owner, customerId: 'cus_1' }),
}

test('every call to the provider is tried', () => {
  const methods = Object.getOwnPropertyNames(PaymentClient.prototype).filter((name) => name !== 'constructor')
  const tried = new Set(Object.keys(providerCalls).map((name) => name.split(',')[0]))
  expect(methods.filter((name) => !tried.has(name))).toEqual([])
})

for (const [method, call] of Object.entries(providerCalls))
  describe(`${method} of the payment provider fails when the answer is`, () => {
    for (const [name, garbage] of GARBAGE)
      test(name, async () => {
        text = garbage
        const result = await call(payments())
        expect(result).toMatchObject({ ok: false })
        expect(result).toHaveProperty('reason', expect.stringMatching(/^(malformed|unavailable)$/))
      })
    test('an object of another kind', async () => {
      text = JSON.stringify({ id: 'x_1', object: 'balance' })
      expect(await call(payments())).toMatchObject({ ok: false, reason: 'malformed' })
    })
  })

const otherIds: [method: string, kind: string][] = [
  ['getSubscription', 'subscription'],
  ['getInvoice', 'invoice'],
  ['getCheckoutSession', 'checkout.session'],
  ['getPaymentIntent', 'payment_intent'],
  ['getCharge', 'charge'],
  ['cancelAtPeriodEnd', 'subscription'],
  ['keepRenewing', 'subscription'],
  ['getPrice', 'price'],
  ['findOrCreateCustomer, on record', 'customer'],
]
for (const [method, kind] of otherIds)
  test(`${method} of the payment provider fails for an object with another id`, async () => {
    text = JSON.stringify({ id: 'other', object: kind, cancel_at_period_end: true })
    const result: object | undefined = await providerCalls[method]?.(payments())
    expect(result).toEqual({ ok: false, reason: 'malformed', field: `${kind}.id` })
  })

test('a subscription that still renews was not cancelled', async () => {
  text = JSON.stringify({ id: 'sub_1', object: 'subscription', cancel_at_period_end: false })
  const field = 'subscription.cancel_at_period_end'
  expect(await payments().cancelAtPeriodEnd('sub_1')).toEqual({ ok: false, reason: 'malformed', field })
})

async function playClient() {
  const read = readServiceAccount(await google.serviceAccountFile())
  if (!read.ok) throw new Error(read.reason)
  const urls = { apiUrl: google.apiUrl, tokenUrl: google.tokenUrl }
  return new PlayClient({ account: read.account, packageName: 'com.example.sleep', ...urls, clock })
}

/** An object is a possible answer to a command, and one without members is an empty list. */
const isObject = (garbage: string): boolean => garbage.startsWith('{') && garbage.endsWith('}') && garbage.length < 1e6

const week = { startAt: NOW - 1000, endAt: NOW, pageToken: null }
const googleCalls: [
  method: string,
  call: (client: PlayClient) => Promise<object>,
  isTaken: (text: string) => boolean,
][] = [
  ['listVoided', (client) => client.listVoided(week), (garbage) => garbage === '{}' || garbage.includes('"id":null')],
  ['acknowledgeSubscription', (client) => client.acknowledgeSubscription('t', 'pro'), isObject],
  ['acknowledgeProduct', (client) => client.acknowledgeProduct('t', 'coins'), isObject],
  ['cancelSubscription', (client) => client.cancelSubscription('t', 'pro'), isObject],
  ['refundOrder', (client) => client.refundOrder('GPA.1', false), isObject],
]
for (const [method, call, isTaken] of googleCalls)
  describe(`${method} of Google fails when the answer is`, () => {
    for (const [name, garbage] of GARBAGE)
      if (garbage !== '' && !isTaken(garbage))
        test(name, async () => {
          google.faults = { reply: (path) => (path === '/token' ? null : garbage) }
          expect(await call(await playClient())).toMatchObject({ kind: 'rejected', why: 'unreadable' })
        })
    for (const [name, garbage] of GARBAGE)
      test(`${name}, for an access token`, async () => {
        google.faults = { reply: (path) => (path === '/token' ? garbage : null) }
        expect(await call(await playClient())).toMatchObject({ kind: 'rejected', why: 'credentials' })
      })
  })

const oddTokens: object[] = [
  { access_token: 'a\r\nx-other: 1', expires_in: 60 },
  { access_token: 'ü', expires_in: 60 },
  { access_token: 'a'.repeat(9000), expires_in: 60 },
  { access_token: 'a', expires_in: -1 },
  { access_token: 'a', expires_in: '3600' },
  { access_token: 'a', expires_in: 1e300 },
  { access_token: 'a', expires_in: null },
]
for (const token of oddTokens)
  test(`an access token ${JSON.stringify(token).slice(0, 60)} is none`, async () => {
    google.faults = { reply: (path) => (path === '/token' ? JSON.stringify(token) : null) }
    const answer = await (await playClient()).getSubscriptionV2('t')
    expect(answer).toMatchObject({ kind: 'rejected', why: 'credentials' })
  })

for (const [name, garbage] of GARBAGE)
  test(`${name} gives no keys of Google`, async () => {
    google.faults = { reply: () => garbage }
    const keys = new GoogleKeys({ url: google.keysUrl, clock })
    expect(await keys.find('push-1')).toEqual({ ok: false, reason: 'keys_unavailable' })
  })

const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const privateKey = pem.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const credentials = { bundleId: 'com.example.app', keyId: 'ABC123DEFG', issuerId: 'issuer', privateKey }
const appStore = () => {
  const circuits = { PRODUCTION: new CircuitBreaker(), SANDBOX: new CircuitBreaker() }
  return new IosApiClient({ credentials, clock, circuits, apiUrl: apple.url })
}

const isEmptyState = (garbage: string): boolean => isObject(garbage)
const appleCalls: [
  method: string,
  call: (client: IosApiClient) => Promise<object>,
  isTaken?: (text: string) => boolean,
][] = [
  ['getTransactionInfo', (client) => client.getTransactionInfo('SANDBOX', '1')],
  ['getAllSubscriptionStatuses', (client) => client.getAllSubscriptionStatuses('SANDBOX', '1')],
  [
    'getNotificationHistory',
    (client) => client.getNotificationHistory('SANDBOX', { startDate: NOW - 1000, endDate: NOW }),
  ],
  ['requestTestNotification', (client) => client.requestTestNotification('SANDBOX')],
  // An object without members says that nothing was sent yet.
  ['getTestNotificationStatus', (client) => client.getTestNotificationStatus('SANDBOX', 't'), isEmptyState],
  [
    'extendRenewalDate',
    (client) =>
      client.extendRenewalDate('SANDBOX', '1', { extendByDays: 1, extendReasonCode: 0, requestIdentifier: 'r' }),
  ],
]
for (const [method, call, isTaken] of appleCalls)
  describe(`${method} of the App Store fails when the answer is`, () => {
    for (const [name, garbage] of GARBAGE)
      if (!isTaken?.(garbage))
        test(name, async () => {
          apple.trouble = { status: 200, body: garbage }
          expect(await call(appStore())).toEqual({ ok: false, kind: 'rejected', status: 200, errorCode: null })
        })
  })

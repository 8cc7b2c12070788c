import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { holdTimeouts } from '../../../test/support/pauses'
import { HOUR, MINUTE } from '../../base/lib/clock'
import { AndroidServer } from '../../test-store/stores/android-server'
import { PlayClient } from './client'
import { decodeSubscription } from './decode'
import { decodeProduct } from './product'
import { readServiceAccount, type ServiceAccount } from './service-account'
import { decodeVoided } from './voided'

const NOW = Date.UTC(2026, 0, 1, 8)
const clock = { time: NOW, now: () => clock.time }
const PACKAGE = 'com.example.app'
const monthly = {
  productId: 'pro',
  basePlanId: 'monthly',
  period: 'P1M',
  price: { amountMicros: 9_990_000, currency: 'USD' },
}

let server: AndroidServer
let account: ServiceAccount
let client: PlayClient
const open = (members: Partial<ConstructorParameters<typeof PlayClient>[0]> = {}) =>
  new PlayClient({
    account,
    packageName: PACKAGE,
    apiUrl: server.apiUrl,
    tokenUrl: server.tokenUrl,
    clock,
    timeoutMs: MINUTE,
    ...members,
  })
const calls = () =>
  server.requests.map(({ method, path }) => `${method} ${path.replace(/^.*applications\/[^/]+\//, '')}`)

beforeAll(async () => {
  server = await AndroidServer.start({ clock, packageName: PACKAGE })
  const result = readServiceAccount(await server.serviceAccountFile())
  if (!result.ok) throw new Error(result.reason)
  account = result.account
})
beforeEach(() => {
  server.faults = {}
  server.requests.length = 0
  client = open()
})
afterAll(() => server.close())

describe('what Google knows', () => {
  test('a subscription, which decodes', async () => {
    const token = server.store.subscribe(monthly)
    const answer = await client.getSubscriptionV2(token)
    expect(answer.kind === 'ok' && decodeSubscription(answer.body, token)).toMatchObject({
      ok: true,
      subscription: { state: 'ACTIVE' },
    })
    expect(calls()).toEqual(['POST /token', `GET purchases/subscriptionsv2/tokens/${token}`])
  })
  test('a one-time purchase, by the newer API', async () => {
    const token = server.store.buy('gems', { quantity: 2 })
    const answer = await client.getProduct(token, 'gems')
    const decoded = answer.kind === 'ok' && decodeProduct(answer.body, { purchaseToken: token, productId: null })
    expect(decoded).toMatchObject({ ok: true, product: { items: [{ storeProductId: 'gems', quantity: 2 }] } })
    expect(calls()).toEqual(['POST /token', `GET purchases/productsv2/tokens/${token}`])
  })
  test('or by the older one, where the newer knows nothing', async () => {
    server.faults = { hasNoProductsV2: true }
    const token = server.store.buy('gems')
    const answer = await client.getProduct(token, 'gems')
    const decoded = answer.kind === 'ok' && decodeProduct(answer.body, { purchaseToken: token, productId: 'gems' })
    expect(decoded).toMatchObject({ ok: true, product: { items: [{ storeProductId: 'gems' }] } })
  })
  test('what was voided, page by page', async () => {
    clock.time += HOUR
    const from = clock.time
    const tokens = ['a', 'b', 'c'].map((product) => server.store.buy(product, { quantity: 2 }))
    server.store.refund(tokens[0] ?? '', 7)
    server.store.refundUnits(tokens[1] ?? '', 1)
    server.store.refund(tokens[2] ?? '')
    const query = { startAt: from, endAt: from + 1 }
    const first = await client.listVoided({ ...query, pageToken: null })
    const second = await client.listVoided({
      ...query,
      pageToken: first.kind === 'ok' ? first.body.nextPageToken : null,
    })
    const rows = [first, second].flatMap((answer) => (answer.kind === 'ok' ? answer.body.rows : []))
    expect(rows.map(decodeVoided)).toMatchObject([
      { ok: true, purchaseToken: tokens[0], marker: { isChargeback: true } },
      { ok: true, purchaseToken: tokens[1], partlyRefundedAt: from },
      { ok: true, purchaseToken: tokens[2], marker: { kind: 'REFUND' } },
    ])
    expect(second).toMatchObject({ body: { nextPageToken: null } })
    expect(server.requests.at(-1)?.query).toContain('includeQuantityBasedPartialRefund=true&startTime=')
  })
})

describe('what Google is asked to do', () => {
  test('acknowledge', async () => {
    const [token, gems] = [server.store.subscribe(monthly), server.store.buy('gems')]
    expect(await client.acknowledgeSubscription(token, 'pro')).toEqual({ kind: 'ok', body: {} })
    expect(await client.acknowledgeProduct(gems, 'gems')).toEqual({ kind: 'ok', body: {} })
    expect(server.store.subscriptions.get(token)?.resource.acknowledgementState).toBe(
      'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
    )
    expect(server.store.products.get(gems)?.resource.acknowledgementState).toBe('ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED')
  })
  test('cancel: what was paid for stays', async () => {
    const token = server.store.subscribe(monthly)
    expect(await client.cancelSubscription(token, 'pro')).toMatchObject({ kind: 'ok' })
    expect(server.store.subscriptions.get(token)?.resource.subscriptionState).toBe('SUBSCRIPTION_STATE_CANCELED')
  })
  test('refund an order and take its rights', async () => {
    const token = server.store.subscribe(monthly)
    const orderId = server.store.subscriptions.get(token)?.orderId ?? ''
    expect(await client.refundOrder(orderId, true)).toMatchObject({ kind: 'ok' })
    expect(server.requests.at(-1)?.query).toBe('?revoke=true')
    expect(server.store.subscriptions.get(token)?.resource.subscriptionState).toBe('SUBSCRIPTION_STATE_EXPIRED')
  })
  test('refund an earlier order and leave the subscription as it is', async () => {
    const token = server.store.subscribe(monthly)
    server.store.renew(token)
    const { orderId = '', resource } = server.store.subscriptions.get(token) ?? {}
    const voided = server.store.voided.length
    expect(await client.refundOrder(orderId, false)).toMatchObject({ kind: 'ok' })
    expect(server.store.subscriptions.get(token)?.resource).toEqual(resource ?? {})
    expect([server.store.refundedOrders.has(orderId), server.store.voided.length]).toEqual([true, voided])
  })
  test('refund an order again: it was, and only once', async () => {
    const orderId = server.store.products.get(server.store.buy('gems'))?.resource.orderId ?? ''
    const voided = server.store.voided.length
    for (const _ of [1, 2]) expect(await client.refundOrder(orderId, true)).toEqual({ kind: 'ok', body: {} })
    expect(server.store.voided.length).toBe(voided + 1)
  })
  test('refund an order that it will not: its refusal stands', async () => {
    const orderId = server.store.products.get(server.store.buy('gems'))?.resource.orderId ?? ''
    server.faults = { status: 400, reason: 'orderTooOld' }
    expect(await client.refundOrder(orderId, true)).toMatchObject({ kind: 'not_found', reason: 'orderTooOld' })
    server.faults = { status: 403, reason: 'permissionDenied' }
    expect(await client.refundOrder(orderId, true)).toMatchObject({ kind: 'rejected', why: 'credentials' })
  })
  test('nothing, of purchases that it does not know', async () => {
    const answers = [
      await client.acknowledgeSubscription('no', 'pro'),
      await client.acknowledgeProduct('no', 'gems'),
      await client.cancelSubscription('no', 'pro'),
      await client.refundOrder('GPA.0', true),
    ]
    expect(answers.map(({ kind }) => kind)).toEqual(['not_found', 'not_found', 'not_found', 'not_found'])
  })
})

describe('refusals of a token', () => {
  for (const status of [400, 404, 410])
    test(`${status}: not found`, async () => {
      server.faults = { status, reason: 'purchaseTokenNoLongerValid' }
      const refusal = { kind: 'not_found', status, reason: 'purchaseTokenNoLongerValid' } as const
      expect(await client.getSubscriptionV2('t')).toEqual(refusal)
      expect(await client.getProduct('t', 'gems')).toEqual(refusal)
    })
  test('a token that would name another address is not sent', async () => {
    for (const token of ['', '.', '..', 'a\u0000b', 'a\nb', 'lone \ud800', 'x'.repeat(2049)])
      expect(await client.getSubscriptionV2(token)).toEqual({ kind: 'not_found', status: 400, reason: 'invalid' })
    expect(server.requests).toEqual([])
  })
  test('other odd tokens stay in their place', async () => {
    for (const token of ['a/../b', '%2e%2e', 'a?b#c', '🦊', '{+token}'])
      expect(await client.getSubscriptionV2(token)).toMatchObject({ kind: 'not_found', status: 404 })
    expect(calls().slice(1)).toEqual(
      ['a/../b', '%2e%2e', 'a?b#c', '🦊', '{+token}'].map((token) => `GET purchases/subscriptionsv2/tokens/${token}`),
    )
  })
})

describe('Google is away', () => {
  for (const status of [408, 429, 500, 502, 503])
    test(`${status}: unavailable, asked once`, async () => {
      server.faults = { status }
      expect(await client.getSubscriptionV2('t')).toEqual({ kind: 'unavailable', why: 'status', status })
      expect(calls()).toEqual(['POST /token', 'GET purchases/subscriptionsv2/tokens/t'])
    })
  /** One call whose time is over when it has reached a server that never answers. */
  const late = async (hasToken: boolean) => {
    const hasty = open({ timeoutMs: 5000 })
    if (hasToken) await hasty.getSubscriptionV2('t')
    const arrived = Promise.withResolvers<void>()
    server.faults = {
      get until() {
        arrived.resolve()
        return new Promise<void>(() => {})
      },
    }
    const time = holdTimeouts()
    const answer = hasty.getSubscriptionV2('t')
    await arrived.promise
    time.expire()
    expect(new Set(time.asked)).toEqual(new Set([5000]))
    return answer
  }
  const timeout = { kind: 'unavailable', why: 'timeout', status: null } as const
  test('no answer in time', async () => expect(await late(true)).toEqual(timeout))
  test('no access token in time', async () => {
    expect(await late(false)).toEqual(timeout)
    expect(calls()).toEqual(['POST /token'])
  })
  test('nobody there', async () => {
    const away = open({ apiUrl: 'http://127.0.0.1:1' })
    expect(await away.getSubscriptionV2('t')).toEqual({ kind: 'unavailable', why: 'network', status: null })
  })
  test('nor at the token endpoint', async () => {
    const away = open({ tokenUrl: 'http://127.0.0.1:1/token' })
    expect(await away.getSubscriptionV2('t')).toEqual({ kind: 'unavailable', why: 'network', status: null })
    for (const tokenStatus of [429, 500, 503]) {
      server.faults = { tokenStatus }
      expect(await open().getSubscriptionV2('t')).toEqual({ kind: 'unavailable', why: 'status', status: tokenStatus })
    }
    expect(calls().filter((call) => call !== 'POST /token')).toEqual([])
  })
  test('the time for a token is time of the call', async () => {
    server.faults = { delayMs: 600 }
    expect(await open({ timeoutMs: 1000 }).getSubscriptionV2('t')).toEqual(timeout)
  })
  test('closed, it calls no more', async () => {
    client.close()
    expect(await client.getSubscriptionV2('t')).toMatchObject({ kind: 'unavailable' })
  })
})

describe('Google refuses us', () => {
  for (const status of [401, 403])
    test(`${status}: rejected, asked once`, async () => {
      server.faults = { status, reason: 'permissionDenied' }
      expect(await client.getSubscriptionV2('t')).toEqual({
        kind: 'rejected',
        why: 'credentials',
        status,
        reason: 'permissionDenied',
      })
      expect(calls()).toHaveLength(2)
    })
  for (const status of [302, 402, 405, 422])
    test(`${status}: rejected`, async () => {
      server.faults = { status }
      expect(await client.getSubscriptionV2('t')).toMatchObject({ kind: 'rejected', why: 'status', status })
    })
  test('an unreadable body', async () => {
    server.faults = { isMalformed: true }
    expect(await client.getSubscriptionV2('t')).toEqual({
      kind: 'rejected',
      why: 'unreadable',
      status: 200,
      reason: null,
    })
  })
  test('a package that Google does not know is our fault, not the purchase’s', async () => {
    const other = open({ packageName: 'com.example.other' })
    expect(await other.getSubscriptionV2('t')).toMatchObject({
      kind: 'rejected',
      status: 404,
      reason: 'applicationNotFound',
    })
  })
  test('an account that Google does not believe', async () => {
    const liar = open({ account: { ...account, clientEmail: 'other@project.iam.gserviceaccount.com' } })
    expect(await liar.getSubscriptionV2('t')).toEqual({
      kind: 'rejected',
      why: 'credentials',
      status: 400,
      reason: 'invalid_grant',
    })
  })
  test('a list it will not give is nothing that is not there', async () => {
    server.faults = { status: 400, reason: 'invalid' }
    expect(await client.listVoided({ startAt: 0, endAt: 1, pageToken: null })).toMatchObject({
      kind: 'rejected',
      status: 400,
    })
  })
})

describe('a token endpoint or API that answers oddly', () => {
  const oddly = async (respond: () => Response, part: 'apiUrl' | 'tokenUrl') => {
    const odd = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: respond })
    const answer = await open({ [part]: odd.url.href }).getSubscriptionV2('t')
    await odd.stop(true)
    return answer
  }
  const bodies: [name: string, text: string][] = [
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a page', '<html>'],
  ]
  for (const [name, text] of bodies) {
    test(`${name} instead of a purchase`, async () =>
      expect(await oddly(() => new Response(text), 'apiUrl')).toMatchObject({ kind: 'rejected', why: 'unreadable' }))
    test(`${name} instead of an access token`, async () =>
      expect(await oddly(() => new Response(text), 'tokenUrl')).toMatchObject({ kind: 'rejected', why: 'credentials' }))
  }
  test('a redirect is not followed', async () => {
    const away = () => new Response(null, { status: 307, headers: { location: `${server.apiUrl}/elsewhere` } })
    expect(await oddly(away, 'apiUrl')).toMatchObject({ kind: 'rejected', status: 307 })
    expect(await oddly(away, 'tokenUrl')).toMatchObject({ kind: 'rejected', status: 307 })
    expect(calls()).not.toContain('GET /elsewhere')
  })
  test('an access token that is a number', async () =>
    expect(await oddly(() => Response.json({ access_token: 5 }), 'tokenUrl')).toMatchObject({
      kind: 'rejected',
      why: 'credentials',
    }))
})

describe('access tokens', () => {
  test('serve many calls at once, and those after', async () => {
    await Promise.all(Array.from({ length: 8 }, () => client.getSubscriptionV2('t')))
    await client.getSubscriptionV2('t')
    expect(calls().filter((call) => call === 'POST /token')).toHaveLength(1)
  })
  test('are asked for anew before they end', async () => {
    await client.getSubscriptionV2('t')
    clock.time += HOUR - 6 * MINUTE
    await client.getSubscriptionV2('t')
    clock.time += 2 * MINUTE
    await client.getSubscriptionV2('t')
    expect(calls().filter((call) => call === 'POST /token')).toHaveLength(2)
  })
  test('are asked for anew once Google believes them no more', async () => {
    const token = server.store.subscribe(monthly)
    await client.getSubscriptionV2(token)
    server.forgetTokens()
    expect(await client.getSubscriptionV2(token)).toMatchObject({ kind: 'rejected', status: 401 })
    expect(await client.getSubscriptionV2(token)).toMatchObject({ kind: 'ok' })
  })
})

describe('the circuit', () => {
  const fail = async (times: number) => {
    server.faults = { status: 503 }
    for (let count = 0; count < times; count++) await client.getSubscriptionV2('t')
  }
  test('opens after five failures in a row, and then nothing is sent', async () => {
    await fail(5)
    const sent = server.requests.length
    expect(await client.getSubscriptionV2('t')).toEqual({ kind: 'unavailable', why: 'circuit_open', status: null })
    expect(await client.listVoided({ startAt: 0, endAt: 1, pageToken: null })).toMatchObject({ why: 'circuit_open' })
    expect(server.requests).toHaveLength(sent)
    expect(client.circuit.statusAt(clock.now())).toBe('OPEN')
  })
  test('tries again after a minute, and closes when that goes well', async () => {
    await fail(5)
    server.faults = {}
    clock.time += MINUTE
    expect(await client.getSubscriptionV2('t')).toMatchObject({ kind: 'not_found' })
    expect(client.circuit.statusAt(clock.now())).toBe('CLOSED')
  })
  test('stays closed while an answer comes in between, even a refusal', async () => {
    await fail(4)
    server.faults = { status: 403 }
    await client.getSubscriptionV2('t')
    await fail(4)
    expect(client.circuit.statusAt(clock.now())).toBe('CLOSED')
  })
  test('is not moved by what was never sent', async () => {
    await fail(4)
    await client.getSubscriptionV2('..')
    await fail(1)
    expect(client.circuit.statusAt(clock.now())).toBe('OPEN')
  })
})

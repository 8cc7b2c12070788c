import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { CircuitBreaker } from '../../base/lib/circuit'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { type ApiFault, type ApiServer, startApiServer } from '../../test-store/stores/api-server'
import { API_URLS, IosApiClient, type IosApiParts, TEST_TOKEN_UNKNOWN, TRANSACTION_NOT_FOUND } from './api-client'
import type { ConsumptionAnswer } from './api-client-shapes'

const NOW = Date.UTC(2026, 10, 20, 8)
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const credentials = { bundleId: 'com.example.app', keyId: 'ABC123DEFG', issuerId: 'issuer', privateKey: pem }

const NEVER: ApiFault = { until: new Promise(() => {}) }

const servers: ApiServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A client of a stand-in server, with a clock that the test sets. */
function setUp(parts: Partial<IosApiParts> = {}, fault: ApiFault | null = null) {
  const server = startApiServer({ bundleId: 'com.example.app' })
  server.trouble = fault
  servers.push(server)
  const clock = { at: NOW, now: () => clock.at }
  const circuits = { PRODUCTION: new CircuitBreaker(), SANDBOX: new CircuitBreaker() }
  const client = new IosApiClient({ credentials, clock, circuits, apiUrl: server.url, timeoutMs: MINUTE, ...parts })
  return { server, client, clock, circuits }
}

const answer: ConsumptionAnswer = {
  customerConsented: true,
  consumptionStatus: 2,
  platform: 1,
  sampleContentProvided: false,
  deliveryStatus: 0,
  accountTenure: 3,
  playTime: 4,
  lifetimeDollarsPurchased: 2,
  lifetimeDollarsRefunded: 1,
  userStatus: 1,
  refundPreference: 2,
}
const extension = { extendByDays: 7, extendReasonCode: 3, requestIdentifier: 'r-1' } as const
const window = { startDate: NOW - MINUTE, endDate: NOW }

describe('calls', () => {
  test('a transaction is asked for by its id', async () => {
    const { server, client } = setUp()
    server.facts.transactions.set('2000', 'a.b.c')
    expect(await client.getTransactionInfo('SANDBOX', '2000')).toEqual({
      ok: true,
      value: { signedTransactionInfo: 'a.b.c' },
    })
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/inApps/v1/transactions/2000', body: null }])
  })

  test('an id cannot lead to another route', async () => {
    const { server, client } = setUp()
    await client.getTransactionInfo('SANDBOX', '../notifications/test?x=1#y')
    expect(server.requests[0]?.path).toBe('/inApps/v1/transactions/..%2Fnotifications%2Ftest%3Fx%3D1%23y')
  })

  test('half a character in an id throws nothing', async () => {
    const { client } = setUp()
    expect(await client.getTestNotificationStatus('SANDBOX', '\ud800')).toMatchObject({ kind: 'rejected', status: 404 })
  })

  test('the statuses of a customer', async () => {
    const { server, client } = setUp()
    const item = { originalTransactionId: '1', status: 1, signedTransactionInfo: 'a', signedRenewalInfo: 'b' }
    server.facts.statuses.set('1', { ...item, subscriptionGroupIdentifier: '2100' })
    expect(await client.getAllSubscriptionStatuses('PRODUCTION', '1')).toEqual({
      ok: true,
      value: {
        environment: 'Sandbox',
        bundleId: 'com.example.app',
        data: [{ subscriptionGroupIdentifier: '2100', lastTransactions: [item] }],
      },
    })
  })

  test('the history is read page by page', async () => {
    const { server, client } = setUp()
    server.facts.pageSize = 2
    server.facts.notifications = ['a', 'b', 'c'].map((signedPayload) => ({ signedPayload, sendAttempts: [] }))
    const first = await client.getNotificationHistory('SANDBOX', { ...window, onlyFailures: true })
    expect(first).toMatchObject({ ok: true, value: { hasMore: true, paginationToken: '2' } })
    const second = await client.getNotificationHistory(
      'SANDBOX',
      window,
      first.ok ? (first.value.paginationToken ?? '') : '',
    )
    expect(second).toEqual({
      ok: true,
      value: { hasMore: false, notificationHistory: [{ signedPayload: 'c', sendAttempts: [] }] },
    })
    expect(server.requests.map(({ query }) => query)).toEqual([{}, { paginationToken: '2' }])
    expect(server.requests[0]?.body).toEqual({ ...window, onlyFailures: true })
  })

  test('a test notification is asked for, and what became of it', async () => {
    const { server, client } = setUp()
    const attempt = { attemptDate: NOW, sendAttemptResult: 'SUCCESS' }
    server.facts.tests.set('test-token', { signedPayload: 'a.b.c', sendAttempts: [attempt] })
    expect(await client.requestTestNotification('SANDBOX')).toMatchObject({
      value: { testNotificationToken: 'test-token' },
    })
    expect(await client.getTestNotificationStatus('SANDBOX', 'test-token')).toEqual({
      ok: true,
      value: { signedPayload: 'a.b.c', sendAttempts: [attempt] },
    })
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  test('an unknown test token is one of two codes', async () => {
    const result = await setUp().client.getTestNotificationStatus('SANDBOX', 'unknown')
    expect(result).toMatchObject({ kind: 'rejected', status: 404 })
    expect(TEST_TOKEN_UNKNOWN).toContain(!result.ok && result.kind === 'rejected' ? result.errorCode : null)
  })

  test('a consumption answer is put, and nothing is expected back', async () => {
    const { server, client } = setUp()
    server.facts.transactions.set('2000', 'a.b.c')
    expect(await client.sendConsumptionInformation('SANDBOX', '2000', answer)).toEqual({ ok: true, value: null })
    expect(server.requests).toMatchObject([
      { method: 'PUT', path: '/inApps/v1/transactions/consumption/2000', body: answer },
    ])
  })

  test('an extension tells the new end', async () => {
    const { server, client } = setUp()
    server.facts.extensions.set('1', NOW + MINUTE)
    const result = await client.extendRenewalDate('PRODUCTION', '1', extension)
    expect(result).toMatchObject({ ok: true, value: { success: true, effectiveDate: NOW + MINUTE } })
    expect(server.requests).toMatchObject([{ method: 'PUT', body: extension }])
  })

  test('what the store does not know is rejected with its code', async () => {
    const { client } = setUp()
    const refusals = await Promise.all([
      client.getTransactionInfo('SANDBOX', '1'),
      client.getAllSubscriptionStatuses('SANDBOX', '1'),
      client.sendConsumptionInformation('SANDBOX', '1', answer),
      client.extendRenewalDate('SANDBOX', '1', extension),
      client.getNotificationHistory('SANDBOX', window, 'x'),
    ])
    expect(
      refusals.map((result) => !result.ok && result.kind === 'rejected' && [result.status, result.errorCode]),
    ).toEqual([
      [404, TRANSACTION_NOT_FOUND],
      [404, 4040005],
      [404, TRANSACTION_NOT_FOUND],
      [403, 4030004],
      [400, 4000014],
    ])
  })

  test('each bears a token that the public key verifies, and the same one for a while', async () => {
    const { server, client, clock } = setUp()
    await client.requestTestNotification('SANDBOX')
    clock.at += 10 * MINUTE
    await client.requestTestNotification('PRODUCTION')
    const [first = '', second] = server.requests.map(({ authorization }) => authorization ?? '')
    expect(second).toBe(first)
    const key = createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }))
    const { payload } = await jwtVerify(first.replace('Bearer ', ''), key, { currentDate: new Date(NOW) })
    expect(payload.bid).toBe('com.example.app')
  })

  test('an address of our own stands for both environments; without one each has its own', () => {
    expect(API_URLS).toEqual({
      PRODUCTION: 'https://api.storekit.itunes.apple.com',
      SANDBOX: 'https://api.storekit-sandbox.itunes.apple.com',
    })
  })
})

describe('faults', () => {
  const call = (client: IosApiClient) => client.getTransactionInfo('PRODUCTION', '2000')

  const faults: [name: string, fault: ApiFault, result: object][] = [
    ['500', { status: 500 }, { kind: 'unavailable' }],
    ['502 with a page', { status: 502, body: '<html>' }, { kind: 'unavailable' }],
    ['503 with a wait', { status: 503, retryAfter: '7' }, { kind: 'unavailable', retryAfter: 7 }],
    ['429', { status: 429, errorCode: 4290000 }, { kind: 'unavailable' }],
    [
      '429 with the instant of the next call',
      { status: 429, retryAfter: String(NOW + 90 * SECOND) },
      { kind: 'unavailable', retryAfter: 90 },
    ],
    ['401', { status: 401, body: 'Unauthenticated' }, { kind: 'rejected', status: 401, errorCode: null }],
    ['400 with a code', { status: 400, errorCode: 4000006 }, { kind: 'rejected', status: 400, errorCode: 4000006 }],
    ['an answer that is no JSON', { body: '{"signedTransactionInfo":' }, { kind: 'rejected', status: 200 }],
    ['an answer of another shape', { body: '{}' }, { kind: 'rejected', status: 200 }],
    ['a redirect', { status: 302, body: '' }, { kind: 'rejected', status: 302 }],
  ]
  for (const [name, fault, result] of faults)
    test(`${name}: ${Object.values(result).join(' ')}`, async () => {
      const { client } = setUp({}, fault)
      expect(await call(client)).toMatchObject({ ok: false, ...result })
    })

  test('no answer in time: unavailable', async () => {
    const { client } = setUp({ timeoutMs: 20 }, NEVER)
    expect(await call(client)).toEqual({ ok: false, kind: 'unavailable' })
  })

  test('nobody at the address: unavailable', async () => {
    const { client, server } = setUp()
    await server.close()
    expect(await call(client)).toEqual({ ok: false, kind: 'unavailable' })
  })

  test('an address that is none: unavailable, and nothing thrown', async () => {
    expect(await call(setUp({ apiUrl: 'nowhere' }).client)).toEqual({ ok: false, kind: 'unavailable' })
  })

  test('a key that cannot be read is rejected as by the store, and nothing is sent', async () => {
    const { client, server } = setUp({ credentials: { ...credentials, privateKey: 'none' } })
    expect(await call(client)).toEqual({ ok: false, kind: 'rejected', status: 401, errorCode: null })
    expect(server.requests).toEqual([])
  })

  test('the wait is for answers, not for the whole life of the client', async () => {
    const { client, server } = setUp({ timeoutMs: 5 * MINUTE })
    server.facts.transactions.set('2000', 'a.b.c')
    const waits = spyOn(AbortSignal, 'timeout')
    for (let count = 0; count < 4; count++) expect((await call(client)).ok).toBe(true)
    expect(waits.mock.calls).toEqual(Array(4).fill([5 * MINUTE]))
    waits.mockRestore()
  })
})

describe('the circuit', () => {
  const call = (client: IosApiClient) => client.getTransactionInfo('PRODUCTION', '2000')

  test('opens after five failures in a row: then nothing is sent for a minute', async () => {
    const { client, server, clock } = setUp({}, { status: 500 })
    for (let count = 0; count < 5; count++) await call(client)
    clock.at += 20 * SECOND
    expect(await call(client)).toEqual({ ok: false, kind: 'unavailable', retryAfter: 40 })
    expect(server.requests).toHaveLength(5)
  })

  test('lets one call through after the minute, and closes when it is answered', async () => {
    const { client, server, clock, circuits } = setUp({}, { status: 500, times: 5 })
    server.facts.transactions.set('2000', 'a.b.c')
    for (let count = 0; count < 5; count++) await call(client)
    clock.at += MINUTE
    const [first, second] = await Promise.all([call(client), call(client)])
    expect([first.ok, second.ok]).toEqual([true, false])
    expect(circuits.PRODUCTION.statusAt(clock.at)).toBe('CLOSED')
    expect((await call(client)).ok).toBe(true)
  })

  test('does not count refusals and limits, which the store gives in good health', async () => {
    for (const fault of [{ status: 404 }, { status: 401 }, { status: 429 }, { body: 'odd' }]) {
      const { client, circuits } = setUp({}, fault)
      for (let count = 0; count < 7; count++) await call(client)
      expect(circuits.PRODUCTION.statusAt(NOW)).toBe('CLOSED')
    }
  })

  test('counts calls without an answer', async () => {
    const { client, circuits } = setUp({ timeoutMs: 20 }, NEVER)
    await Promise.all(Array.from({ length: 5 }, () => call(client)))
    expect(circuits.PRODUCTION.statusAt(NOW)).toBe('OPEN')
  })

  test('of the sandbox keeps nobody from Production', async () => {
    const { client, server, circuits } = setUp({}, { status: 500, times: 5 })
    server.facts.transactions.set('2000', 'a.b.c')
    for (let count = 0; count < 5; count++) await client.getTransactionInfo('SANDBOX', '2000')
    expect(circuits.SANDBOX.statusAt(NOW)).toBe('OPEN')
    expect((await call(client)).ok).toBe(true)
  })

  test('remembers when the store last answered', async () => {
    const { client, circuits } = setUp()
    await call(client)
    expect(circuits.PRODUCTION.lastOkAt).toBe(NOW)
    expect(circuits.SANDBOX.lastOkAt).toBeNull()
  })
})

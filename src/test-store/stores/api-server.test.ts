import { afterAll, beforeEach, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { APIException, AppStoreServerAPIClient, Environment } from '@apple/app-store-server-library'
import { holdPauses } from '../../../test/support/pauses'
import { startApiServer } from './api-server'

// Apple's own client reads each answer of the stand-in and checks its form.

const NOW = Date.UTC(2026, 10, 20, 8)
const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const server = startApiServer({ bundleId: 'com.example.app', requestTest: () => 'token-1', pageSize: 1 })
afterAll(() => server.close())

const client = new AppStoreServerAPIClient(pem, 'ABC123DEFG', 'issuer', 'com.example.app', Environment.SANDBOX)
Object.assign(client, { urlBase: server.url })

const attempt = { attemptDate: NOW, sendAttemptResult: 'SUCCESS' }
server.facts.transactions.set('2000', 'a.b.c')
server.facts.statuses.set('1', {
  originalTransactionId: '1',
  status: 1,
  signedTransactionInfo: 'a',
  signedRenewalInfo: 'b',
  subscriptionGroupIdentifier: '2100',
})
server.facts.notifications = [{ signedPayload: 'a', sendAttempts: [attempt] }, { signedPayload: 'b' }]
server.facts.tests.set('token-1', { signedPayload: 'a', sendAttempts: [attempt] })
server.facts.extensions.set('1', NOW)

beforeEach(() => {
  server.trouble = null
  server.requests.length = 0
})

const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof APIException ? [error.httpStatusCode, error.apiError] : String(error)),
  )

test("Apple's client takes every answer", async () => {
  const window = { startDate: NOW - 1, endDate: NOW }
  expect(await client.getTransactionInfo('2000')).toEqual({ signedTransactionInfo: 'a.b.c' })
  expect((await client.getAllSubscriptionStatuses('1')).data).toHaveLength(1)
  expect(await client.getNotificationHistory(null, window)).toMatchObject({ hasMore: true, paginationToken: '1' })
  expect(await client.getNotificationHistory('1', window)).toMatchObject({ hasMore: false })
  expect(await client.requestTestNotification()).toEqual({ testNotificationToken: 'token-1' })
  expect(await client.getTestNotificationStatus('token-1')).toMatchObject({ signedPayload: 'a' })
  expect(await client.sendConsumptionData('2000', { customerConsented: true })).toBeUndefined()
  expect(await client.extendSubscriptionRenewalDate('1', { extendByDays: 1 })).toMatchObject({ success: true })
  expect(server.requests).toHaveLength(8)
})

test("Apple's client reads every refusal", async () => {
  expect(await refusal(client.getTransactionInfo('1'))).toEqual([404, 4040010])
  expect(await refusal(client.getAllSubscriptionStatuses('9'))).toEqual([404, 4040005])
  expect(await refusal(client.getTestNotificationStatus('x'))).toEqual([404, 4040008])
  expect(await refusal(client.extendSubscriptionRenewalDate('9', {}))).toEqual([403, 4030004])
  expect(await refusal(client.getNotificationHistory('x', {}))).toEqual([400, 4000014])
  expect(await refusal(client.lookUpOrderId('x'))).toEqual([404, null])
})

test('faults are those that were set, for as many answers as were set', async () => {
  server.trouble = { status: 429, errorCode: 4290000, retryAfter: '5', times: 2 }
  expect(await refusal(client.getTransactionInfo('2000'))).toEqual([429, 4290000])
  const response = await fetch(`${server.url}/inApps/v1/transactions/2000`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await refusal(client.getTransactionInfo('2000'))).toBe('accepted')
})

test('a delay comes before the answer', async () => {
  server.trouble = { delayMs: 60 }
  const delays = holdPauses(60)
  let isAnswered = false
  const answer = client.getTransactionInfo('2000').finally(() => {
    isAnswered = true
  })
  await delays.begun(1)
  expect(isAnswered).toBe(false)
  delays.release()
  expect(await answer).toMatchObject({ signedTransactionInfo: 'a.b.c' })
})

test('whoever brings no token is not let in', async () => {
  const response = await fetch(`${server.url}/inApps/v1/transactions/2000`)
  expect([response.status, await response.text()]).toEqual([401, 'Unauthenticated'])
})

test('every request is kept with its body', async () => {
  await client.extendSubscriptionRenewalDate('1', { extendByDays: 3, requestIdentifier: 'r' })
  expect(server.requests).toMatchObject([
    { method: 'PUT', path: '/inApps/v1/subscriptions/extend/1', body: { extendByDays: 3, requestIdentifier: 'r' } },
  ])
  expect(server.requests[0]?.authorization).toStartWith('Bearer ')
})

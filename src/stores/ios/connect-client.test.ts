import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { holdTimeouts } from '../../../test/support/pauses'
import { CircuitBreaker } from '../../base/lib/circuit'
import { ConnectClient, type ConnectResult } from './connect-client'

const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const KEY = { keyId: 'ABC123DEF4', issuerId: '57246542-96fe-1a63-e053-0824d011072a', privateKey }
const NOW = Date.UTC(2026, 10, 20)

let server: Bun.Server<undefined>
let answer: (url: URL) => Response
let asked = 0
beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      asked++
      return answer(new URL(request.url))
    },
  })
})
afterAll(() => server.stop(true))
beforeEach(() => {
  asked = 0
})

const client = (parts: { key?: typeof KEY; timeoutMs?: number } = {}) =>
  new ConnectClient({
    key: KEY,
    clock: { now: () => NOW },
    circuit: new CircuitBreaker(),
    apiUrl: `http://127.0.0.1:${server.port}`,
    ...parts,
  })

const CALLS: ((of: ConnectClient) => Promise<ConnectResult<unknown>>)[] = [
  (of) => of.findApp('com.example.sleep'),
  (of) => of.setNotificationUrl('1', 'https://svc.example.com/x', ['production']),
  (of) => of.listInAppPurchases('1'),
  (of) => of.listSubscriptions('1'),
]

test('no answer makes a call throw', async () => {
  const status = fc.constantFrom(200, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503)
  const body = fc.oneof(fc.json(), fc.string(), fc.constant('{"data":[]}'), fc.constant('{"errors":[{}]}'))
  await fc.assert(
    fc.asyncProperty(status, body, fc.constantFrom(...CALLS), async (code, text, call) => {
      answer = () => new Response(code === 204 ? null : text, { status: code })
      const result = await call(client())
      if (code === 429 || code >= 500) expect(result).toMatchObject({ ok: false, kind: 'unavailable' })
      else if (code >= 300) expect(result).toMatchObject({ ok: false, kind: 'rejected', status: code })
      else if (!result.ok) expect(result).toMatchObject({ kind: 'rejected', status: code })
    }),
    { numRuns: 100 },
  )
})

test('a list that never ends is left', async () => {
  answer = (url) => Response.json({ data: [], links: { next: `${url.origin}/v1/apps?cursor=${asked}` } })
  expect((await client().listInAppPurchases('1')).ok).toBe(true)
  expect(asked).toBe(60)
})

test('a private key that cannot be read calls nobody', async () => {
  const result = await client({ key: { ...KEY, privateKey: 'x' } }).findApp('a')
  expect([result, asked]).toEqual([{ ok: false, kind: 'rejected', status: 401, code: null, detail: null }, 0])
})

test('nobody there, and a store that does not answer in time, are no answer', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const time = holdTimeouts()
  answer = () => {
    time.expire()
    return promise as never // Bun also takes a promise.
  }
  expect(await client({ timeoutMs: 1 }).findApp('a')).toEqual({ ok: false, kind: 'unavailable' })
  expect(time.asked).toEqual([1])
  resolve(new Response('{}'))
})

test('the wait that the store names is kept', async () => {
  answer = () => new Response('{}', { status: 429, headers: { 'retry-after': '17' } })
  expect(await client().findApp('a')).toEqual({ ok: false, kind: 'unavailable', retryAfter: 17 })
})

test('ids and bundle ids stay within their place in the path', async () => {
  const paths: string[] = []
  answer = (url) => {
    paths.push(`${url.pathname}${url.search}`)
    return Response.json({ data: [] })
  }
  await client().findApp('a&limit=1#x/../y')
  await client().listInAppPurchases('1/../../v1/users?x')
  expect(paths).toEqual([
    '/v1/apps?filter[bundleId]=a%26limit%3D1%23x%2F..%2Fy&limit=200',
    '/v1/apps/1%2F..%2F..%2Fv1%2Fusers%3Fx/inAppPurchasesV2?limit=200',
  ])
})

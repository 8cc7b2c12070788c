import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { lookUpApp } from '../../src/stores/ios/app-lookup'
import { BUNDLE, type Stage, stage } from '../support/cast'
import { holdTimeouts } from '../support/pauses'
import { type Staff, staff } from '../support/staff'
import { refusalOf } from '../support/store-setup'

// The public look-up of the App Store (Apple, iTunes Search API): `results` with one entry for each app.

const SLEEP = {
  wrapperType: 'software',
  trackId: 1234567890,
  trackName: 'Sleep Better',
  bundleId: BUNDLE,
  artworkUrl60: 'https://is1.example.com/60.png',
  artworkUrl100: 'https://is1.example.com/100.png',
  artworkUrl512: 'https://is1.example.com/512.png',
}

let s: Stage
let team: Staff
let server: Bun.Server<undefined>
let asked: URLSearchParams[] = []
let answer: () => Response | Promise<Response>
beforeAll(async () => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      asked.push(new URL(request.url).searchParams)
      return answer()
    },
  })
  s = await stage({ env: { SVC_IOS_LOOKUP_URL: `http://127.0.0.1:${server.port}/lookup` } })
  team = staff(s)
})
afterAll(async () => {
  await s.close()
  await server.stop(true)
})
beforeEach(() => {
  s.ctx.clock.advance(MINUTE) // A circuit that a test has opened lets a call through again.
  asked = []
  answer = () => Response.json({ resultCount: 1, results: [SLEEP] })
})

const look = (query = `?bundleId=${BUNDLE}`) => team.as('DEVELOPER').get(`/apps/ios/lookup${query}`)

test('an app is found by its bundle id, in the store of a country', async () => {
  expect((await look(`?bundleId=${BUNDLE}&country=DE`)).body.data).toEqual({
    appId: '1234567890',
    bundleId: BUNDLE,
    name: 'Sleep Better',
    iconUrl: 'https://is1.example.com/512.png',
  })
  await look()
  expect(asked.map((query) => [query.get('bundleId'), query.get('country')])).toEqual([
    [BUNDLE, 'de'],
    [BUNDLE, 'us'],
  ])
})

test('an app without an icon', async () => {
  const { artworkUrl512: _, artworkUrl100: __, ...bare } = SLEEP
  answer = () => Response.json({ resultCount: 1, results: [bare] })
  expect((await look()).body.data.iconUrl).toBeNull()
})

test('no such app, or only another one, is 404', async () => {
  answer = () => Response.json({ resultCount: 0, results: [] })
  expect(refusalOf(await look())).toEqual([404, 'NOT_FOUND'])
  answer = () => Response.json({ resultCount: 1, results: [{ ...SLEEP, bundleId: 'com.example.other' }] })
  expect(refusalOf(await look())).toEqual([404, 'NOT_FOUND'])
})

test.each<[name: string, given: () => Response]>([
  ['a refusal', () => new Response('{}', { status: 403 })],
  ['too many calls', () => new Response('{}', { status: 429 })],
  ['a fault', () => new Response('', { status: 500 })],
  ['a way to elsewhere', () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
  ['no JSON', () => new Response('<html>')],
  ['another form', () => Response.json({ results: [{ trackId: 'x' }] })],
])('%s at the store is 503', async (_name, given) => {
  answer = given
  expect(refusalOf(await look())).toEqual([503, 'STORE_LOOKUP_UNAVAILABLE'])
  expect(asked).toHaveLength(1)
})

test('after five calls without a usable answer none is made for a minute', async () => {
  expect((await look()).status).toBe(200)
  answer = () => new Response('', { status: 500 })
  for (let count = 0; count < 6; count++) expect(refusalOf(await look())).toEqual([503, 'STORE_LOOKUP_UNAVAILABLE'])
  expect(asked).toHaveLength(6)
  s.ctx.clock.advance(MINUTE)
  await look()
  expect(asked).toHaveLength(7)
})

test('nobody there is 503', async () => {
  const free = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const url = `http://127.0.0.1:${free.port}`
  await free.stop(true)
  const own = await stage({ env: { SVC_IOS_LOOKUP_URL: url } })
  const answer = await staff(own).as('DEVELOPER').get(`/apps/ios/lookup?bundleId=${BUNDLE}`)
  expect(refusalOf(answer)).toEqual([503, 'STORE_LOOKUP_UNAVAILABLE'])
  await own.close()
})

test('a store that does not answer in time is not waited for', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const time = holdTimeouts()
  answer = () => {
    time.expire()
    return promise
  }
  const found = lookUpApp({ url: `http://127.0.0.1:${server.port}`, bundleId: BUNDLE, country: 'us', timeoutMs: 1 })
  expect(await found).toMatchObject({ ok: false })
  expect([time.asked, asked.length]).toEqual([[1], 1])
  resolve(new Response('{}'))
})

test('who may not, and what is no bundle id or country, asks nobody', async () => {
  for (const role of ['GROWTH', 'CUSTOMER_SUPPORT', 'SUPPORT_READ'] as const)
    expect(refusalOf(await team.as(role).get(`/apps/ios/lookup?bundleId=${BUNDLE}`))[1]).toBe('ROLE_REQUIRED')
  for (const query of [
    '',
    '?bundleId=',
    '?bundleId=a%20b',
    `?bundleId=${BUNDLE}&country=deu`,
    `?bundleId=${BUNDLE}&x=1`,
  ])
    expect([query, refusalOf(await look(query))[1]]).toEqual([query, 'VALIDATION_ERROR'])
  expect(asked).toEqual([])
})

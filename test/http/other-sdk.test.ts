import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { refusal } from '../support/visitor'

let s: Stage
beforeAll(async () => {
  s = await stage({ env: { SVC_TRUSTED_PROXIES: '1', SVC_RATE_IP: '3' } })
})
afterAll(() => s.close())

let hosts = 0
const from = () => ({ 'x-forwarded-for': `198.51.100.${++hosts}` })
const send = (headers: Record<string, string>, path = '/v1/receipts', method = 'POST', body: unknown = {}) =>
  s.call(method, path, { key: null, headers: { ...from(), ...headers }, ...(method === 'GET' ? {} : { body }) })

const PREFIXES = ['appl_', 'mac_', 'goog_', 'amzn_', 'galx_', 'rcb_', 'strp_', 'pdl_', 'test_']
const SDK = { 'x-platform': 'iOS', 'x-version': '5.0.0' }

test.each(PREFIXES)("a receipt with a key %s of another vendor's SDK is 503 and is to be repeated", async (prefix) => {
  for (const key of [`${prefix}x`, `${prefix}${s.project.publicKey}`]) {
    const answer = await send({ authorization: `Bearer ${key}` })
    expect(refusal(answer)).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.headers.get('x-request-id')).toStartWith('req_')
  }
})

test('neither a limit, nor a size, nor an unknown key without a prefix makes it a 4xx', async () => {
  const one = { 'x-forwarded-for': '203.0.113.9' }
  for (let index = 0; index < 6; index++)
    expect((await send({ ...one, authorization: 'Bearer goog_x' })).status).toBe(503)
  expect((await send({ authorization: 'Bearer appl_x', 'content-length': '99999999999' })).status).toBe(503)
  expect((await send({ authorization: 'Bearer appl_x', 'content-type': 'text/plain' })).status).toBe(503)
  for (const authorization of ['Bearer AbCdEfGhIjKlMnOp', 'Bearer', ''])
    expect((await send({ ...SDK, ...(authorization && { authorization }) })).status).toBe(503)
})

test('every other path, method and key is answered as before', async () => {
  const vendor = { authorization: 'Bearer appl_x' }
  for (const path of ['/v1/receipts/', '/v1/receipts/x', '/V1/receipts', '/v1//receipts', '/v1/web/x/receipts'])
    expect([path, (await send(vendor, path)).status]).toEqual([path, 404])
  expect((await send(vendor, '/v1/receipts/ios')).status).toBe(401)
  expect((await send(vendor, '/v1/receipts', 'GET')).status).toBe(404)
  expect((await send(vendor, '/v1/receipts', 'PUT')).status).toBe(404)
  for (const authorization of [`Bearer ${s.project.publicKey}`, `Bearer ${s.project.secretKey}`, 'Bearer svc_pub_no'])
    expect(refusal(await send({ ...SDK, authorization }))).toEqual([404, 'NOT_FOUND'])
  for (const headers of [{}, { authorization: 'Bearer other_x' }, { 'x-platform': 'iOS' }, { 'x-version': '1' }])
    expect(refusal(await send(headers))).toEqual([404, 'NOT_FOUND'])
})

test('the refusal is in the log with its code, and no key is', () => {
  const lines = s.ctx.lines.filter((line) => line.includes('STORE_UNAVAILABLE'))
  expect(lines.length).toBeGreaterThan(0)
  expect(s.ctx.lines.join()).not.toMatch(/appl_|goog_/)
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { VERSION } from '../../src/base/version'
import { packSdk } from '../../src/build-sdk'
import { type Stage, stage } from '../support/cast'

let s: Stage
beforeAll(async () => {
  await packSdk(join(import.meta.dir, '../../dist/sdk'))
  s = await stage()
})
afterAll(() => s.close())

const ask = (path: string, headers: Record<string, string> = {}) =>
  s.app.handle(new Request(`http://localhost${path}`, { headers }))

describe('the client for pages', () => {
  test.each(['svc.js', 'svc.iife.js'])('%s is there for pages of any site, for five minutes', async (name) => {
    const response = await ask(`/sdk/${name}`)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers.get('content-location')).toMatch(new RegExp(`^/sdk/${VERSION}-[0-9a-f]{12}/${name}$`))
  })

  test('the address that it names has the same file for ever, and the parts beside it', async () => {
    const latest = await ask('/sdk/svc.js')
    const address = latest.headers.get('content-location') ?? ''
    const build = address.split('/')[2] ?? ''
    const pinned = await ask(address)
    expect([pinned.status, pinned.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    const [text, own] = [await latest.text(), await pinned.text()]
    expect(text.replaceAll(`"./${build}/`, '"./')).toBe(own)
    const parts = [...text.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, path]) => path)
    expect(parts.sort()).toEqual([`${build}/checkout.js`, `${build}/late.js`])
    for (const path of parts) expect((await ask(`/sdk/${path}`)).status, path).toBe(200)
  })

  test.each(['/sdk/1.0.0-000000000000/svc.js', '/sdk/svc.css', '/sdk/late.js'])('%s is 404', async (path) => {
    const response = await ask(path, { origin: 'https://a.example' })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  test('a file that is not of the client is not at its address', async () => {
    const address = (await ask('/sdk/svc.js')).headers.get('content-location') ?? ''
    expect((await ask(address.replace('svc.js', 'package.json'))).status).toBe(404)
    expect((await ask(address.replace('svc.js', 'core.js'))).status).toBe(404)
  })

  test('what the browser has is 304, and gzip is sent to those who take it', async () => {
    const etag = (await ask('/sdk/svc.js')).headers.get('etag') ?? ''
    expect((await ask('/sdk/svc.js', { 'if-none-match': etag })).status).toBe(304)
    const packed = await ask('/sdk/svc.js', { 'accept-encoding': 'br, gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const bytes = new Uint8Array(await packed.arrayBuffer())
    expect(bytes.length).toBeLessThanOrEqual(6144)
    expect(Buffer.from(Bun.gunzipSync(bytes)).toString()).toBe(await (await ask('/sdk/svc.js')).text())
    const plain = await ask('/sdk/svc.js', { 'accept-encoding': 'gzip;q=0' })
    expect(plain.headers.get('content-encoding')).toBeNull()
  })
})

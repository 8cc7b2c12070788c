import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { buildSdk, type ClientFiles, packSdk } from '../../src/build-sdk'
import { casesOf } from '../../src/docs/client/package'
import { createKey } from '../../src/projects/project/service'
import { hasChromium, launchBrowser } from '../support/browser'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { configure } from '../support/remote'

// The client as pages load it, from the server that it talks to.

describe.skipIf(!hasChromium)('the client in Chromium', () => {
  let s: Stage
  let browser: Browser
  let api: ReturnType<typeof Bun.serve>
  let site: ReturnType<typeof Bun.serve>
  let publicKey = ''
  let files: ClientFiles = {}
  const requests: string[] = []

  beforeAll(async () => {
    await packSdk(join(import.meta.dir, '../../dist/sdk'))
    files = await buildSdk()
    s = await stage()
    await configure(s, { flags: [{ key: 'new_checkout', defaultValue: true }] })
    api = Bun.serve({
      port: 0,
      fetch: (request) => {
        const { pathname, search } = new URL(request.url)
        requests.push(`${request.method} ${pathname.replace(/svc_pub_\w+/, 'KEY')}${search}`)
        return s.app.handle(request)
      },
    })
    site = Bun.serve({
      port: 0,
      fetch: (request) => {
        const name = new URL(request.url).pathname.slice(1)
        const text = files[name]
        const type = text === undefined ? 'text/html' : 'text/javascript'
        return new Response(text ?? '<!doctype html><title>shop</title>', { headers: { 'content-type': type } })
      },
    })
    const allowedOrigins = [`http://localhost:${site.port}`]
    publicKey = (await createKey(s.ctx, s.project.id, { label: 'web', allowedOrigins })).publicKey ?? ''
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await api.stop(true)
    await site.stop(true)
    await s.close()
  })

  /** A page of the shop with the client of the server. */
  async function open(page: Page, path = '/'): Promise<void> {
    await page.goto(`http://localhost:${site.port}${path}`)
    await page.addScriptTag({
      type: 'module',
      content: `import * as svc from 'http://localhost:${api.port}/sdk/svc.js'; window.svc = svc`,
    })
    await page.waitForFunction('window.svc')
  }

  const start = () => `svc.configure({ apiKey: '${publicKey}', baseUrl: 'http://localhost:${api.port}' })`
  const callsOfApi = () => requests.filter((one) => !one.includes(' /sdk/'))

  test('the first load is one preflight and one request, and a second page has its flags at once', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await open(page)
    requests.length = 0
    const read = `(async () => {
      await ${start()}
      const [entitlements, offerings] = await Promise.all([svc.entitlements(), svc.offerings(), svc.balances()])
      return [entitlements.value, offerings.value.current.packages.length > 0, svc.flag('new_checkout', false)]
    })()`
    expect(await page.evaluate(read)).toEqual([[], true, true])
    const path = '/v1/web/KEY/me/bootstrap?include=entitlements,config,offerings,balances'
    expect(callsOfApi()).toEqual([`OPTIONS ${path}`, `GET ${path}`])
    await open(page, '/second')
    expect(await page.evaluate(`(async () => { await ${start()}; return svc.flag('new_checkout', false) })()`)).toBe(
      true,
    )
    await context.close()
  })

  test('a receipt, identify, the stream and events work from a page', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await open(page)
    const receipt = s.sign(s.buy(MONTHLY))
    const bought = `(async () => {
      await ${start()}
      const { entitlements } = await svc.postReceipt({ store: 'ios', receipt: '${receipt}', productId: 'pro_monthly' })
      const { synced } = await svc.identify('user_chromium')
      await svc.track({ eventType: 'bought' })
      svc.setAttributes({ plan: 'gold' })
      return [entitlements[0].id, synced, await svc.flushAttributes(), await svc.isEntitled('pro')]
    })()`
    expect(await page.evaluate(bought)).toEqual(['pro', true, 1, true])
    const followed = page.evaluate(`new Promise((resolve) => {
      svc.on(() => svc.flag('live', false) && resolve('changed'))
      svc.watchConfig()
    })`)
    await configure(s, { flags: [{ key: 'live', defaultValue: true }] })
    expect(await followed).toBe('changed')
    await context.close()
  })

  test('a label of one tab is in the other, and both have one device key', async () => {
    const context = await browser.newContext()
    const [one, other] = [await context.newPage(), await context.newPage()]
    for (const page of [one, other]) await open(page)
    await one.evaluate(start())
    await other.evaluate(`(async () => { await ${start()}; svc.on(({ type }) => { window.told = type }) })()`)
    await one.evaluate(`svc.identify('user_tabs')`)
    await other.waitForFunction(`window.told && svc.currentUser().appUserId === 'user_tabs'`)
    expect(await other.evaluate('svc.currentUser()')).toEqual(await one.evaluate('svc.currentUser()'))
    await context.close()
  })

  test('the script for pages without modules sets the global svc', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://localhost:${site.port}/`)
    await page.addScriptTag({ url: `http://localhost:${api.port}/sdk/svc.iife.js` })
    expect(
      await page.evaluate(
        `(async () => { await ${start()}; return [typeof svc.checkout, await svc.isEntitled('pro')] })()`,
      ),
    ).toEqual(['function', false])
    await context.close()
  })

  test('the cases pass', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://localhost:${site.port}/`)
    const all = Object.entries(casesOf(files)).filter(([name]) => name.endsWith('.json') && name !== 'bucketing.json')
    const script = `(async (all) => {
      const [{ configure }, { runCases }] = await Promise.all([import('/node.js'), import('/cases.js')])
      const outcomes = []
      for (const text of all) outcomes.push(...await runCases(configure, JSON.parse(text)))
      return { faults: outcomes.filter(({ fault }) => fault), isMany: outcomes.length > 100 }
    })(${JSON.stringify(all.map(([, text]) => text))})`
    expect(await page.evaluate(script)).toEqual({ faults: [], isMany: true })
    await context.close()
  })
})

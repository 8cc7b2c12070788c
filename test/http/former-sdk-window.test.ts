import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { createServedApp } from '../../src/served-app'
import { hasChromium, launchBrowser } from '../support/browser'
import { type Stage, stage } from '../support/cast'
import { setSdkDoor } from '../support/former-sdk'
import { staff } from '../support/staff'

/** The former vendor's package in a browser: a purchase in its own window, with a key of the test store. */
const PATIENCE = 180_000

const PAGE = `<!doctype html><title>Shop</title><body><script type="module">
  import { Purchases } from '/sdk.js'
  window.buy = async (apiKey, appUserId, proxyURL) => {
    const httpConfig = { proxyURL, eventsURL: proxyURL }
    const purchases = Purchases.configure({ apiKey, appUserId, httpConfig })
    const { current } = await purchases.getOfferings()
    try {
      const { customerInfo } = await purchases.purchase({ rcPackage: current.monthly })
      return { active: Object.keys(customerInfo.entitlements.active) }
    } catch (error) {
      return { code: error.errorCode }
    } finally {
      purchases.close()
    }
  }
  window.isReady = true
</script></body>`

describe.skipIf(!hasChromium)('the window of the SDK', () => {
  let s: Stage
  let browser: Browser
  let server: string
  let shop: string
  const stops: (() => void)[] = []

  beforeAll(async () => {
    s = await stage()
    await setSdkDoor(s, { enabled: true, testStore: true })
    const app = createServedApp(s.ctx)
    const served = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.fetch(request) })
    const sdk = Bun.file(Bun.resolveSync('@revenuecat/purchases-js', import.meta.dir))
    const pages = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0 },
      fetch: ({ url }) =>
        url.endsWith('/sdk.js')
          ? new Response(sdk, { headers: { 'content-type': 'text/javascript' } })
          : new Response(PAGE, { headers: { 'content-type': 'text/html' } }),
    })
    stops.push(
      () => void served.stop(true),
      () => void pages.stop(true),
    )
    server = `http://127.0.0.1:${served.port}`
    shop = `http://127.0.0.1:${pages.port}`
    await staff(s)
      .as('ADMIN')
      .patch('', { allowedOrigins: [shop] })
    browser = await launchBrowser()
  }, PATIENCE)
  afterAll(async () => {
    await browser?.close()
    for (const stop of stops) stop()
    await s?.close()
  })

  const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)

  /** What the app sees of a purchase in which the person presses this button, and where the page sent requests. */
  async function press(button: string, appUserId: string) {
    const page = await browser.newPage()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).hostname))
    await page.goto(shop)
    await page.waitForFunction('window.isReady')
    const bought = start(page, appUserId)
    await page.getByText(button, { exact: true }).click({ timeout: PATIENCE })
    const result = await bought
    await page.close()
    return { result, hosts: [...hosts] }
  }

  const start = (page: Page, appUserId: string): Promise<unknown> =>
    page.evaluate(`buy(${[`test_${s.project.publicKey}`, appUserId, server].map((one) => JSON.stringify(one))})`)

  test(
    'buys, and no request leaves the machine',
    async () => {
      const { result, hosts } = await press('Test valid purchase', 'ada')
      expect(result).toEqual({ active: ['pro'] })
      expect(hosts).toEqual(['127.0.0.1'])
      expect(await purchases()).toHaveLength(1)
    },
    PATIENCE,
  )

  test.each([
    ['Test failed purchase', 42, 'bo'],
    ['Cancel', 1, 'cy'],
  ])(
    '%s ends with error %d and buys nothing',
    async (button, code, person) => {
      const before = await purchases()
      expect((await press(button, person)).result).toEqual({ code })
      expect(await purchases()).toEqual(before)
    },
    PATIENCE,
  )

  test(
    'buys nothing while the test store is closed, so that the key of a published app cannot be used',
    async () => {
      const before = await purchases()
      await setSdkDoor(s, { testStore: false })
      s.ctx.state.projects.forget(s.project.id)
      const page = await browser.newPage()
      await page.goto(shop)
      await page.waitForFunction('window.isReady')
      await expect(start(page, 'dora')).rejects.toThrow()
      expect(await purchases()).toEqual(before)
      await page.close()
    },
    PATIENCE,
  )
})

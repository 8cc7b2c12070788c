import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createApp } from '../../src/app'
import { CONTENTS } from '../../src/docs/guide/contents'
import { PROGRAM } from '../../src/program'
import { hasChromium, launchBrowser } from '../support/browser'
import { type TestContext, testContext } from '../support/context'
import { soon } from '../support/soon'

// The guide as a browser shows it; the pages have no JavaScript.

const inBrowser = hasChromium ? describe : describe.skip

const REFERENCE = ['errors', 'cli', 'configuration', 'source'].map((name) => `reference/${name}`)
const WIDTHS = [320, 768, 1440]
const PATHS = ['', '?q=purchase', 'nope', ...CONTENTS.flatMap(({ pages }) => pages), ...REFERENCE]

inBrowser('the guide in Chromium', () => {
  let ctx: TestContext
  let app: ReturnType<typeof createApp>
  let chrome: Browser
  let guide: string

  beforeAll(async () => {
    ctx = await testContext()
    app = createApp({ ...ctx, commands: () => PROGRAM.commands }).listen({ hostname: '127.0.0.1', port: 0 })
    guide = `http://127.0.0.1:${app.server?.port}/docs/guide/`
    chrome = await launchBrowser()
  }, 600_000)

  afterAll(async () => {
    await chrome?.close()
    await app.server?.stop(true)
    await ctx.close()
  }, 600_000)

  async function withPage(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await chrome.newContext(options)
    await work(await context.newPage())
    await context.close()
  }

  test('no page scrolls sideways, however wide, and none loads what it may not', async () => {
    await withPage({}, async (page) => {
      const complaints: string[] = []
      page.on('console', (message) => void complaints.push(message.text()))
      for (const path of PATHS) {
        await page.goto(guide + path, { timeout: 0 })
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          expect([path, width, excess]).toEqual([path, width, 0])
        }
      }
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    })
  }, 600_000)

  test('the fonts of the guide are used', async () => {
    await withPage({}, async (page) => {
      await page.goto(`${guide}project`, { timeout: 0 })
      const loaded = await page.evaluate('document.fonts.ready.then((fonts) => [...fonts].map((font) => font.status))')
      expect(loaded).toEqual(['loaded', 'loaded'])
    })
  }, 600_000)

  test('the first key press reaches the way past the navigation', async () => {
    await withPage({}, async (page) => {
      await page.goto(`${guide}web`, { timeout: 0 })
      await page.keyboard.press('Tab')
      await soon(async () => expect(await page.evaluate('document.activeElement.className')).toBe('skip'))
      await page.keyboard.press('Enter')
      await soon(async () => expect(await page.evaluate('document.activeElement.id')).toBe('content'))
    })
  }, 600_000)

  for (const width of [390, 1440])
    test(`the search works without JavaScript at ${width} px`, async () => {
      await withPage({ viewport: { width, height: 900 }, javaScriptEnabled: false }, async (page) => {
        await page.goto(guide, { timeout: 0 })
        const field = page.locator('input[name=q]:visible')
        await soon(async () => expect(await field.count()).toBe(1))
        await field.fill('lost notifications')
        await field.press('Enter')
        await page.locator('.found a').first().click()
        expect(page.url()).toBe(`${guide}stores#lost-notifications`)
      })
    }, 600_000)

  test('the colours follow the scheme of the browser', async () => {
    const backgrounds: unknown[] = []
    for (const colorScheme of ['light', 'dark'] as const)
      await withPage({ colorScheme }, async (page) => {
        await page.goto(guide, { timeout: 0 })
        backgrounds.push(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
      })
    expect(backgrounds).toEqual(['oklch(0.977 0.004 86)', 'oklch(0.172 0.012 228)'])
  }, 600_000)
})

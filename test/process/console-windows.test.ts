import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, type Visit } from '../support/console'

// A browser has six connections to a server that speaks HTTP/1.1, and a stream holds one.
const WINDOWS = 8

describe.skipIf(!hasChromium)('several windows of one browser', () => {
  let stage: ConsoleStage
  let visit: Visit
  beforeAll(async () => {
    stage = await consoleStage([['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99']])
    visit = await stage.open()
  }, 600_000)
  const buy = (device: string) =>
    stage.svc(
      'simulate',
      'purchase',
      '--device',
      device,
      '--product',
      'coins_100',
      '--price',
      '4.99',
      '--project',
      'demo',
    )
  afterAll(async () => {
    await visit?.close()
    await stage?.close()
  }, 600_000)

  test('all load, share one stream, hear what happens, and go on when the window that holds it closes', async () => {
    let opened = 0
    visit.context.on('request', (request) => void (request.url().includes('/events/stream') && opened++))
    const pages: Page[] = [visit.page]
    while (pages.length < WINDOWS) pages.push(await visit.context.newPage())
    for (const page of pages) {
      await goTo(page, '/p/demo/subscribers?env=sandbox')
      await page.getByText('mira').first().waitFor()
    }
    expect(opened).toBe(1)
    await buy('otto')
    for (const page of pages) await page.getByText('otto').first().waitFor()
    await pages[0]?.close()
    await buy('rosa')
    for (const page of pages.slice(1)) await page.getByText('rosa').first().waitFor()
    expect(opened).toBe(2)
  }, 300_000)
})

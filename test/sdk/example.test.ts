import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { systemClock } from '../../src/base/lib/clock'
import { packSdk } from '../../src/build-sdk'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import { hasChromium, launchBrowser } from '../support/browser'
import { stage } from '../support/cast'

const ROOT = join(import.meta.dir, '../..')

test('the page has fewer than 200 lines', () => {
  expect(readFileSync(join(ROOT, 'src/docs/example/shop.html'), 'utf8').split('\n').length).toBeLessThan(200)
})

test('a server that is no demo has no example shop', async () => {
  const s = await stage()
  const answers = [
    await s.call('GET', '/docs/example', { key: null }),
    await s.post('/docs/example/purchases', { device: 'svc_a', product: 'pro_monthly' }, { key: null }),
  ]
  expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
  ])
  await s.close()
})

describe.skipIf(!hasChromium)('the example shop of svc demo', () => {
  let browser: Browser
  let baseUrl = ''
  let stop = () => {}
  let ended: Promise<number>

  beforeAll(async () => {
    await packSdk(join(ROOT, 'dist/sdk'))
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const ready = new Promise<string>((resolve, reject) => {
      ended = runCommandLine(['demo', '--port', '0', '--json'], {
        ...{ out: resolve, err: reject, isTerminal: false, env: { SVC_LOG_LEVEL: 'off' }, clock: systemClock },
        ...{ confirm: async () => false, progress: () => {}, program: PROGRAM, stopped },
      })
    })
    baseUrl = JSON.parse(await ready).baseUrl
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    stop()
    expect(await ended).toBe(0)
  })

  test('sells, follows the person to another device, and shows flags by attributes', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => void faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(`${baseUrl}/docs/example`)
    await page.getByRole('button', { name: 'Buy Pro Monthly' }).click()
    await page.getByText('Bought pro_monthly').waitFor()
    expect(await page.locator('#access').textContent()).toMatch(/^pro until 20\d\d-/)
    expect(await page.locator('#headline').textContent()).toBe('Try everything')
    expect(await page.locator('#placement').textContent()).toBe('Onboarding')
    await page.getByRole('button', { name: 'Buy 100 Coins' }).click()
    await page.locator('#coins', { hasText: '100' }).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Signed in').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('#access', { hasText: 'Nothing yet' }).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('#access', { hasText: 'pro until' }).waitFor()
    await page.getByLabel('Country').selectOption('TR')
    await page.locator('#flag', { hasText: /true|false/ }).waitFor()
    expect(faults).toEqual([])
    expect(await page.locator('#log').textContent()).not.toContain('Error')
    await context.close()
  })
})

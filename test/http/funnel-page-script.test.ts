import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasChromium, launchBrowser } from '../support/browser'
import { type Stage, stage } from '../support/cast'
import { choice, funnelPage, publishFunnel, QUIZ, slugOf } from '../support/funnels'
import { soon } from '../support/soon'
import { staff } from '../support/staff'

const TIMER: unknown = JSON.parse('{"seconds":1,"then":{"type":"next"}}')

let s: Stage
let server: ReturnType<typeof Bun.serve>
let browser: Browser
let project: string
const faults: string[] = []
beforeEach(() => faults.splice(0))
beforeAll(async () => {
  if (!hasChromium) return
  s = await stage()
  const dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
  await publishFunnel(dev, 'quiz', QUIZ)
  await publishFunnel(dev, 'loading', [
    funnelPage('ask', 'load', { fields: [choice('x', ['1'])] }),
    funnelPage('load', 'end', {
      type: 'loader',
      blocks: [{ id: 't', type: 'timer', props: TIMER }],
    }),
    funnelPage('end', null, { type: 'success' }),
  ])
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => s.app.handle(request) })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await s?.close()
})

async function open(slug: string, withScript = true): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: withScript, locale: 'en' })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`${server.url.origin}/f/${project}/${slug}`)
  return page
}
const titled = (page: Page, title: string) => page.getByRole('heading', { name: title }).waitFor()

describe.skipIf(!hasChromium)('in a browser', () => {
  test('steps are made without loading the page, faults are shown, and the button of the browser goes back', async () => {
    const page = await open('quiz')
    await page.evaluate('window.isSamePage = true')
    await page.evaluate(`for (const one of document.querySelectorAll('[required]')) one.required = false`)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('Please answer this.').waitFor()
    await page.getByText('sleep').click()
    await page.getByRole('button', { name: 'Go on' }).click()
    await titled(page, 'Page name')
    await page.locator('input[type=text]').fill('Ada')
    await page.locator('input[type=text]').press('Enter')
    await titled(page, 'Page health')
    await page.goBack()
    await titled(page, 'Page name')
    await soon(async () => expect(await page.locator('input[type=text]').inputValue()).toBe('Ada'))
    await soon(async () => expect(await page.evaluate('window.isSamePage')).toBe(true))
    await page.getByRole('button', { name: 'Back' }).click()
    await titled(page, 'Page goal')
    await page.getByText('focus').click()
    await page.getByRole('button', { name: 'Go on' }).click()
    await titled(page, 'Done, Ada')
    expect(faults).toEqual([])
  })

  test('a timer of a loader page leads on by itself', async () => {
    const page = await open('loading')
    await page.getByText('1', { exact: true }).click()
    await page.getByRole('button', { name: 'Go on' }).click()
    await titled(page, 'Page load')
    await titled(page, 'Page end')
    expect(faults).toEqual([])
  })

  test('without script the same steps are made', async () => {
    const page = await open('loading', false)
    await page.getByText('1', { exact: true }).click()
    await page.getByRole('button', { name: 'Go on' }).click()
    await titled(page, 'Page load')
    await page.getByRole('button', { name: 'Go on' }).click()
    await titled(page, 'Page end')
    expect(faults).toEqual([])
  })
})

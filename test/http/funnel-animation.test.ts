import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { hasChromium, launchBrowser } from '../support/browser'
import { type Stage, stage } from '../support/cast'
import { eventually } from '../support/context'
import { lottie, sent } from '../support/files'
import { funnelPage, publishFunnel, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { soon } from '../support/soon'
import { staff } from '../support/staff'

/** A square that moves from the left to the right. */
const LAYER = {
  ...{ ddd: 0, ind: 1, ty: 1, nm: 'Square', sr: 1, ip: 0, op: 60, st: 0, bm: 0, sw: 20, sh: 20, sc: '#ff0000' },
  ks: {
    ...{ o: { a: 0, k: 100 }, r: { a: 0, k: 0 }, a: { a: 0, k: [10, 10, 0] }, s: { a: 0, k: [100, 100, 100] } },
    p: {
      a: 1,
      k: [
        { t: 0, s: [20, 50, 0], i: { x: [0.8], y: [0.8] }, o: { x: [0.2], y: [0.2] } },
        { t: 59, s: [180, 50, 0] },
      ],
    },
  },
}

let s: Stage
let server: ReturnType<typeof Bun.serve>
let browser: Browser
let project: string
let preview: string
const faults: string[] = []
const loaded: string[] = []
beforeEach(() => {
  faults.splice(0)
  loaded.splice(0)
})
beforeAll(async () => {
  if (!hasChromium) return
  s = await stage()
  const dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
  const animation = await sent(s, '/assets/lottie?name=breath', lottie({ layers: [LAYER] }))
  const props = { asset: animation.id, alt: { en: 'A square that moves' }, loop: true }
  const blocks = [{ id: 'b', type: 'lottie', props }]
  await publishFunnel(dev, 'later', [funnelPage('first', 'moving'), funnelPage('moving', null, { blocks })])
  const id = await publishFunnel(dev, 'moving', [funnelPage('moving', null, { blocks })])
  preview = new URL((await dataOf(dev.post(`/funnels/${id}/preview-link`, { version: 1 }))).url).search
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => s.app.handle(request) })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await s?.close()
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', ...options })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto(server.url.origin + path)
  return page
}

const text = (page: Page) => page.getByText('A square that moves')
const drawn = (page: Page) => page.locator('.animation[data-drawn] > svg').nth(1)
const square = (page: Page) => drawn(page).locator('g[transform]').first().getAttribute('transform')
const moves = (page: Page, from: string | null) => eventually(async () => (await square(page)) !== from)
const players = () => loaded.filter((url) => url.includes('/player/'))

describe.skipIf(!hasChromium)('an animation in a browser', () => {
  test('is played from this server, also on a page that comes without loading', async () => {
    const page = await open(`/f/${project}/later`)
    expect(players()).toEqual([])
    await page.getByRole('button', { name: 'Go on' }).click()
    await drawn(page).waitFor()
    await moves(page, await square(page))
    await page.getByRole('img', { name: 'A square that moves' }).waitFor()
    await soon(async () => expect(await text(page).count()).toBe(0))
    expect(players()).toHaveLength(1)
    expect(loaded.filter((url) => !url.startsWith(server.url.origin))).toEqual([])
    expect(faults).toEqual([])
  })

  test('takes the place that was kept for it', async () => {
    const still = await open(`/f/${project}/moving`, { javaScriptEnabled: false })
    const place = await still.locator('.animation').boundingBox()
    const page = await open(`/f/${project}/moving`)
    await drawn(page).waitFor()
    expect(place).toMatchObject({ width: 200, height: 100 })
    await soon(async () => expect(await page.locator('.animation').boundingBox()).toEqual(place))
    await soon(async () => expect(await drawn(page).boundingBox()).toEqual(place))
  })

  test('plays in a preview', async () => {
    const page = await open(`/f/-/preview${preview}`)
    await drawn(page).waitFor()
    await moves(page, await square(page))
    expect(faults).toEqual([])
  })

  test('plays in the frame of the editor, and goes on while another block is edited', async () => {
    const shown = await fetch(`${server.url.origin}/f/-/preview${preview}`).then((answer) => answer.text())
    const page = await open('/f/-/canvas')
    const show = (html: string) => page.evaluate(`postMessage(${JSON.stringify({ html, chosen: null })}, '*')`)
    await show(shown)
    await drawn(page).waitFor()
    await moves(page, await square(page))
    await page.evaluate(`document.querySelector('.animation').kept = true`)
    await show(shown.replace('</h1>', ' edited</h1>'))
    await page.getByText('edited').waitFor()
    await soon(async () => expect(await page.evaluate(`document.querySelector('.animation').kept`)).toBe(true))
    await moves(page, await square(page))
    await show(shown.replace('data-loop=""', '').replace(' data-loop', ''))
    await drawn(page).waitFor()
    await soon(async () => expect(await page.evaluate(`document.querySelector('.animation').kept`)).toBeUndefined())
    expect(players()).toHaveLength(1)
    expect(faults).toEqual([])
  })

  test('stands still at its first picture for a visitor who wants less motion, and moves when that changes', async () => {
    const page = await open(`/f/${project}/moving`, { reducedMotion: 'reduce' })
    await drawn(page).waitFor()
    const state = () => page.evaluate('lottie.getRegisteredAnimations().map((one) => [one.isPaused, one.currentFrame])')
    expect(await state()).toEqual([[true, 0]])
    const first = await square(page)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await moves(page, first)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await eventually(() => page.evaluate('lottie.getRegisteredAnimations().every((one) => one.isPaused)'))
    expect(await state()).toEqual([[true, 0]])
    expect(faults).toEqual([])
  })

  test('is its text without script, and when its file cannot be loaded', async () => {
    await text(await open(`/f/${project}/moving`, { javaScriptEnabled: false })).waitFor()
    const context = await browser.newContext({ locale: 'en' })
    const page = await context.newPage()
    await page.route('**/player/**', (route) => route.abort())
    await page.goto(`${server.url.origin}/f/${project}/moving`)
    await page.locator('.animation[data-begun]').waitFor()
    await text(page).waitFor()
    await soon(async () => expect(await drawn(page).count()).toBe(0))
  })
})

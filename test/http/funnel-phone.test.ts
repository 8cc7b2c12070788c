import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasChromium, launchBrowser } from '../support/browser'
import { type Stage, stage } from '../support/cast'
import { excessOf, violationsOf } from '../support/console'
import { publishPaidFunnel } from '../support/funnel-payments'
import { choice, funnelPage, publishFunnel, slugOf } from '../support/funnels'
import { soon } from '../support/soon'
import { type StaffCalls, staff } from '../support/staff'

// A funnel on a phone, from the first page to the payment.

const PHONE = { width: 390, height: 844 }
/** Of everything that a visitor loads before the payment page. */
const MOST_BYTES = 60_000

let s: Stage
let dev: StaffCalls
let server: ReturnType<typeof Bun.serve>
let browser: Browser
let project: string
const faults: string[] = []
/** The paths that the server was asked for. */
const received: string[] = []
beforeEach(() => faults.splice(0))
beforeAll(async () => {
  if (!hasChromium) return
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
  const fetch = (request: Request) => {
    received.push(new URL(request.url).pathname)
    return s.app.handle(request)
  }
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await s?.close()
})

const en = (text: string) => ({ en: text })
const block = (type: string, props: object = {}) => ({ id: type, type, props })
const PAGES = [
  funnelPage('goal', 'why', { title: en('What is your goal?'), fields: [choice('goal', ['sleep', 'focus'])] }),
  funnelPage('why', 'email', {
    type: 'info',
    blocks: [
      block('heading', { text: en('Two weeks are enough') }),
      block('text', { text: en('You want **{{answer.goal|rest}}**.') }),
      block('list', { items: [en('Ten minutes a day'), en('No phone in bed')] }),
      block('chart', { kind: 'line', points: [1, 3, 5].map((value) => ({ label: en(`Week ${value}`), value })) }),
      block('testimonial', { quote: en('I sleep again.'), author: en('Ada'), rating: 5 }),
      block('faq', { items: [{ question: en('Does it hurt?'), answer: en('No.') }] }),
      block('card', { children: [{ id: 'inner', type: 'text', props: { text: en('Inside') } }] }),
    ],
  }),
  funnelPage('email', 'pay', { type: 'email', title: en('Where do we send your plan?') }),
  funnelPage('pay', 'done', { type: 'payment', title: en('Your plan') }),
  funnelPage('done', null, { type: 'success', title: en('Welcome') }),
]

interface Phone {
  page: Page
  requests: string[]
  /** Bytes on the wire so far, by what the browser counts. */
  loaded(): number
}

async function phoneAt(slug: string, colorScheme: 'light' | 'dark'): Promise<Phone> {
  const context = await browser.newContext({
    viewport: PHONE,
    locale: 'en',
    colorScheme,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  let bytes = 0
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(`${server.url.origin}/f/${project}/${slug}`)
  return { page, requests, loaded: () => bytes }
}

const titled = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 40; count++) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${selector}`)
}

/** What is wrong with the page as it is shown: for axe, and where it is wider than the phone. */
const faultsOf = async (page: Page): Promise<unknown[]> => [
  ...(await violationsOf(page)),
  ...((await excessOf(page)) > 0 ? [`${page.url()} is ${await excessOf(page)} pixels too wide`] : []),
]

/** How far what is shown has moved by itself since the page was loaded. */
const SHIFT = `new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum))))
})`

describe.skipIf(!hasChromium)('on a phone', () => {
  test('a funnel is small, sound in both themes, loads nothing from elsewhere, and is paid with the keyboard alone', async () => {
    const settings = { offering: 'web', requireTermsConsent: true }
    const { slug } = await publishPaidFunnel(s, { pages: PAGES, theme: { dark: {} }, settings })
    for (const theme of ['light', 'dark'] as const) {
      const { page, requests, loaded } = await phoneAt(slug, theme)
      const look = async () =>
        expect([theme, await page.title(), await faultsOf(page)]).toEqual([theme, expect.anything(), []])
      await look()
      expect(Number(await page.evaluate(SHIFT))).toBeLessThan(0.02)
      await tabTo(page, 'input[type=radio]')
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      await titled(page, 'Two weeks are enough')
      await look()
      await tabTo(page, 'button.primary')
      await page.keyboard.press('Enter')
      await titled(page, 'Where do we send your plan?')
      await look()
      await tabTo(page, 'input[type=email]')
      await page.keyboard.type('ada@example.com')
      const before = loaded()
      expect([before > 1000, before <= MOST_BYTES, before]).toEqual([true, true, before])
      await page.keyboard.press('Enter')
      await titled(page, 'Your plan')
      await look()
      await tabTo(page, 'input[name=terms]')
      await page.keyboard.press('Space')
      await tabTo(page, 'button[name=pay][value=pays]')
      await page.keyboard.press('Enter')
      await titled(page, 'Welcome')
      await look()
      expect(requests.filter((url) => !url.startsWith(`${server.url.origin}/f/`))).toEqual([])
      await page.context().close()
    }
    expect(faults).toEqual([])
    const { funnelPayments: p } = s.ctx.tables
    expect((await s.ctx.db.select().from(p)).map(({ status }) => status)).toEqual(['PAID', 'PAID'])
  })

  const framed = (source: string, more: object = {}) => [
    funnelPage('ask', 'end', {
      title: en('Pick one'),
      fields: [choice('goal', ['sleep', 'focus'])],
      blocks: [block('html', { source }), block('text', { text: en('Below') })],
      ...more,
    }),
    funnelPage('end', null, { title: en('You want {{answer.goal|nothing}}') }),
  ]

  test('a block of HTML answers a field of its page and leads on', async () => {
    const source = `<button onclick="parent.postMessage({ answer: { goal: 'sleep' } }, '*'); parent.postMessage({ action: 'next' }, '*')">Sleep</button>`
    await publishFunnel(dev, 'framed', framed(source))
    const { page } = await phoneAt('framed', 'light')
    await page.frameLocator('iframe').getByRole('button', { name: 'Sleep' }).click()
    await titled(page, 'You want sleep')
    expect(faults).toEqual([])
  })

  test('a hostile block reaches neither the page, nor its session, nor anything from elsewhere', async () => {
    const source = `<p id="told">waiting</p><script>
      const told = []
      const attempt = (name, work) => { try { work(); told.push(name) } catch {} }
      attempt('document', () => parent.document.title)
      attempt('cookie', () => document.cookie)
      attempt('storage', () => localStorage.length)
      for (const message of [null, 1, 'next', [], { action: 'back' }, { action: ['next'] }, { answer: 'x' }, { answer: { '../token': 'x', token: 'x', __proto__: 'x' } }, { page: 'end', session: 'x' }])
        parent.postMessage(message, '*')
      const image = new Image()
      image.onload = () => told.push('image')
      image.src = '/f/-/anything.png'
      fetch('/f/-/anything').then(() => told.push('fetch'), () => {}).then(() => { document.getElementById('told').textContent = 'reached: ' + told.join() })
    </script>`
    await publishFunnel(dev, 'hostile', framed(source))
    const { page } = await phoneAt('hostile', 'light')
    await page.frameLocator('iframe').getByText('reached: ', { exact: true }).waitFor()
    await soon(async () => expect(await page.locator('h1').textContent()).toBe('Pick one'))
    const hidden = await page.evaluate(
      "[...document.querySelectorAll('form#page input[type=hidden]')].map((one) => one.name)",
    )
    expect((hidden as string[]).filter((name) => !name.startsWith('a.'))).toEqual(['session', 'token', 'page'])
    // The browser refuses them before they leave it.
    expect(received.filter((path) => path.includes('anything'))).toEqual([])
    faults.splice(0) // The browser tells that the frame was refused what it tried.
  })
})

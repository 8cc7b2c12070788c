import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { atEnd } from './cleanup'

export const chromiumPath = process.env.SVC_TEST_CHROMIUM_BIN ?? Bun.which('chromium')
export const hasChromium = Boolean(chromiumPath) && !process.env.SVC_TEST_SKIP?.split(',').includes('chromium')

let launched: Promise<Browser> | null = null

/** The browser of all suites of a run. Each suite has its own contexts, so that nothing is shared but the processes. */
export async function browser(): Promise<Browser> {
  const running = await launched?.catch(() => null)
  if (running?.isConnected()) return running
  if (launched === null) atEnd(async () => (await launched)?.close())
  launched = chromium.launch({ executablePath: chromiumPath ?? '', args: FLAGS, timeout: 0 })
  return launched
}

/** There is no graphics card. Without these, the browser looks for one and begins services that no test uses. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-breakpad']

export interface OpenOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** `null` for somebody who is not signed in. */
  cookie?: string | null
  /** The client address that a trusted proxy names. */
  address?: string
}

/** One person at the console, with what the browser complained about. */
export interface Visit {
  page: Page
  context: BrowserContext
  /** Console errors, uncaught errors, refused policies, and requests that left the origin. */
  complaints: string[]
  close: () => Promise<void>
}

/** A new browser context with one page. Nothing moves on it: an animation costs much without a graphics card. */
export async function openVisit(chrome: Browser, url: string, options: OpenOptions): Promise<Visit> {
  const { width = 1280, height = 900, theme = 'light', cookie, address } = options
  const context = await chrome.newContext({
    ...{ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce', baseURL: url },
    ...(address !== undefined && { extraHTTPHeaders: { 'x-forwarded-for': address } }),
  })
  if (cookie) await context.addCookies([{ name: 'svc_session', value: cookie, url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  trafficOf(page)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => void complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:') && !request.url().startsWith('blob:'))
      complaints.push(`left the origin: ${request.url()}`)
  })
  return { page, context, complaints, close: () => context.close() }
}

/** The requests of a page. */
interface Traffic {
  /** Requests so far. */
  count: number
  /** Those without an answer. A stream is answered when it has begun. */
  open: Set<Request>
}

const traffics = new WeakMap<Page, Traffic>()

function trafficOf(page: Page): Traffic {
  const known = traffics.get(page)
  if (known) return known
  const traffic: Traffic = { count: 0, open: new Set() }
  traffics.set(page, traffic)
  page.on('request', (request) => {
    traffic.count++
    traffic.open.add(request)
  })
  // A request is finished only when its whole body was read, which a stream and a refusal never are.
  page.on('response', (answer) => void traffic.open.delete(answer.request()))
  page.on('requestfailed', (request) => void traffic.open.delete(request))
  return traffic
}

/** Opens a screen and waits until all of it is there. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilQuiet(page)
}

/** Runs in the page: whether a heading is there and nothing is loading, after everything that is known has been drawn. */
const DRAWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null)`

/** So often a screen must be found complete, one look after the other: an answer may lead to the next request. */
const QUIET_LOOKS = 3

/** Waits until a screen has its heading, every request is answered, every stream has begun, and nothing follows. */
export async function untilQuiet(page: Page): Promise<void> {
  const traffic = trafficOf(page)
  let looks = 0
  for (const until = performance.now() + 60_000; performance.now() < until; await page.waitForTimeout(20)) {
    const { count } = traffic
    const isDrawn = await page.evaluate(DRAWN)
    looks = isDrawn && traffic.open.size === 0 && traffic.count === count ? looks + 1 : 0
    if (looks === QUIET_LOOKS) return
  }
  const open = [...traffic.open].map((request) => request.url()).join(', ')
  throw new Error(`The screen ${page.url()} is not complete. Without an answer: ${open || 'nothing'}`)
}

/** Goes to another screen without loading the page again, and waits until all of it is there. */
export async function moveTo(page: Page, path: string): Promise<void> {
  const isHere = `location.pathname === new URL(${JSON.stringify(path)}, location).pathname`
  await page.evaluate(
    `${isHere} || document.querySelector('h1')?.setAttribute('data-left', document.querySelector('h1').textContent)`,
  )
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  const isNew = `[...document.querySelectorAll('h1')].some((one) => one.dataset.left !== one.textContent)`
  await untilTrue(page, `${isNew} && !document.querySelector('#main [aria-busy=true]')`)
}

/** Waits until an expression is true in the page. `waitForFunction` would be refused by the page's policy. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; await page.waitForTimeout(50))
    if (await page.evaluate(`Boolean(${expression})`)) return
  throw new Error(`This did not become true in the page: ${expression}`)
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from './browser'
import { childEnv, type ServerProcess, startServerProcess, svcCommand, tempFolder } from './process'
import { isRelease } from './release'

const ROOT = join(import.meta.dir, '../..')

/** Where screenshots of a test run are kept. */
const SHOTS = join(ROOT, 'dist', 'screens')

/** A test asks for more in a minute than a person does. */
export const UNLIMITED = { SVC_RATE_USER: '0', SVC_RATE_IP: '0' }

const EMAIL = 'owner@example.com'
const PASSWORD = 'correct horse battery'

/** A server with the console, a project with real lives of the test stores, and a browser. */
export interface ConsoleStage {
  url: string
  server: ServerProcess
  projectId: string
  /** Calls the dashboard API as the owner. */
  call: (method: string, path: string, body?: unknown) => Promise<{ status: number; data: unknown }>
  /** Runs a command on the same data folder. */
  svc: (...args: string[]) => Promise<string>
  /** A new browser context that is signed in as the owner, with one page. */
  open: (options?: OpenOptions) => Promise<Visit>
  close: () => Promise<void>
}

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

/** Catalogue of the demo, and some lives: active, in trial, in billing trouble, refunded, expired. */
const LIVES: string[][] = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['purchase', '--device', 'jonas', '--product', 'pro_yearly', '--price', '59.99', '--trial'],
  ['purchase', '--device', 'elif', '--product', 'pro_monthly', '--price', '9.99'],
  ['purchase', '--device', 'lena', '--product', 'coins_100', '--price', '4.99'],
  ['renew', '--device', 'mira'],
  ['billing-issue', '--device', 'elif'],
  ['refund', '--device', 'lena'],
]

export async function consoleStage(lives: string[][] = LIVES, env: Record<string, string> = {}): Promise<ConsoleStage> {
  const folder = tempFolder()
  const server = await startServerProcess(folder.path, { SVC_SIMULATOR: 'on', ...UNLIMITED, ...env })
  const svc = commandIn(folder.path, env)
  const link = JSON.parse(await svc('user', 'setup-link', '--json')) as {
    setupLink?: string
    link?: string
    url?: string
  }
  const token = (link.setupLink ?? link.link ?? link.url ?? '').split('/').at(-1)
  const account = { email: EMAIL, password: PASSWORD }
  await post(server.url, '/api/auth/sign-up', { ...account, name: 'Owner', setupToken: token })
  const signedIn = await post(server.url, '/api/auth/sign-in', account)
  const cookie = /svc_session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const call = callerOf(server.url, cookie)
  const made = (await call('POST', '/dashboard/projects', { name: 'Sleep App', slug: 'demo' })).data as {
    project: { id: string }
  }
  await svc('apply', '-f', join(ROOT, 'src/cli/demo.yaml'), '--project', 'demo', '--yes')
  for (const life of lives) await svc('simulate', ...life, '--project', 'demo')
  const chrome = await launchBrowser()
  return {
    url: server.url,
    server,
    projectId: made.project.id,
    call,
    svc,
    open: (options = {}) => openVisit(chrome, server.url, { cookie, ...options }),
    async close() {
      await chrome.close()
      await server.kill('SIGTERM')
      folder.remove()
    },
  }
}

const MOST_TRIES = 5

/** Runs a command; again when the database was busy for too long, as on a machine with much else to do. */
export const commandIn =
  (data: string, more: Record<string, string> = {}) =>
  async (...args: string[]): Promise<string> => {
    for (let tries = 1; ; tries++) {
      const { out, err, code } = await run(data, args, more)
      if (code === 0) return out
      if (tries < MOST_TRIES && err.includes('database is locked')) continue
      throw new Error(`svc ${args.join(' ')} ended with ${code}: ${err}${out}`)
    }
  }

async function run(
  data: string,
  args: string[],
  more: Record<string, string>,
): Promise<{ out: string; err: string; code: number }> {
  const child = Bun.spawn([...svcCommand(), ...args, '--data', data], {
    env: { ...childEnv(), SVC_SIMULATOR: 'on', SVC_LOG_LEVEL: 'warn', ...more },
    cwd: data,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

const post = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })

const callerOf = (url: string, cookie: string) => async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(url + path, {
    method,
    headers: {
      cookie: `svc_session=${cookie}`,
      origin: url,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { data } = (await answer.json().catch(() => ({}))) as { data?: unknown }
  return { status: answer.status, data }
}

export async function openVisit(chrome: Browser, url: string, options: OpenOptions): Promise<Visit> {
  const { width = 1280, height = 900, theme = 'light', cookie, address } = options
  const context = await chrome.newContext({
    ...{ viewport: { width, height }, colorScheme: theme, baseURL: url },
    ...(address !== undefined && { extraHTTPHeaders: { 'x-forwarded-for': address } }),
  })
  if (cookie) await context.addCookies([{ name: 'svc_session', value: cookie, url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  page.setDefaultTimeout(180_000)
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

/** Opens a screen and waits until nothing loads any more. Streams stay open, so it waits for the heading and a quiet moment. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilQuiet(page)
}

async function untilQuiet(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(300)
}

/** No screen has this address. */
const NOWHERE = '/nowhere'

/**
 * Opens a screen as a link does when the console is open already, without loading the console again, which takes most
 * of the time. It goes by an address that has no screen, so that the heading that it waits for is the new one.
 */
export async function walkTo(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith('http')) return goTo(page, path)
  await follow(page, NOWHERE)
  const nothing = page.locator('h1', { hasText: 'There is nothing at this address' })
  await nothing.waitFor()
  await follow(page, path)
  await nothing.waitFor({ state: 'detached' })
  await untilQuiet(page)
}

const follow = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`)

/** Waits until an expression is true in the page. `waitForFunction` would be refused by the page's policy. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; await page.waitForTimeout(50))
    if (await page.evaluate(`Boolean(${expression})`)) return
  throw new Error(`This did not become true in the page: ${expression}`)
}

/** Runs in the page: waits until colours that change gradually, such as after another theme, are what they will be. */
const SETTLED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.all(document.getAnimations()
    .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
    .map((one) => one.finished.catch(() => {}))))`

const AXE_OPTIONS = JSON.stringify({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // What passes is not described element by element, which takes a seventh of the time.
  resultTypes: ['violations'],
})

/** A screen without a heading has none after this time either. */
const HEADING_MS = 5000

/** Violations of WCAG 2.2 AA that axe-core finds, one line each. A screen that has just been asked for comes first. */
export async function violationsOf(page: Page): Promise<string[]> {
  const heading = page.locator('h1').first()
  await heading.waitFor({ timeout: HEADING_MS }).catch(() => {})
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  const hasAxe = await page.evaluate("'axe' in globalThis")
  const results = (await session
    .send('Runtime.evaluate', {
      expression: `${hasAxe ? '' : axe.source}; ${SETTLED}.then(() => axe.run(document, ${AXE_OPTIONS}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 160) + ' | ' + (n.failureSummary || '').split('\\n').slice(1).join(' ').slice(0, 240)))))`,
      awaitPromise: true,
      returnByValue: true,
    })
    .finally(() => session.detach())) as { result: { value?: string[] }; exceptionDetails?: unknown }
  if (!results.result.value) throw new Error(`axe did not run: ${JSON.stringify(results.exceptionDetails)}`)
  return results.result.value
}

const MOST_FRAMES = 120

/** Reads a layout until it is fine; one that is not for 120 frames after its last change of size is the answer. */
export async function laidOut<T>(page: Page, read: () => Promise<T>, isFine: (found: T) => boolean): Promise<T> {
  for (let frames = 1; ; frames += 1) {
    const found = await read()
    if (isFine(found) || frames === MOST_FRAMES) return found
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
  }
}

/** By how many pixels the screen is wider than its window, after its parts have taken the width. */
export const excessOf = (page: Page): Promise<number> =>
  laidOut(
    page,
    async () => Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')),
    (excess) => excess <= 0,
  )

/** Whether pictures of screens are kept: before a release, and with SVC_TEST_PICTURES=1. They take a tenth of the time. */
const HAS_PICTURES = isRelease || process.env.SVC_TEST_PICTURES === '1'

/** Keeps a picture of the whole screen among the files of the test run, if pictures are wanted. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (HAS_PICTURES) await takePicture(page, name)
}

/** Keeps a picture of the whole screen in `dist/screens`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true })
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  const before = page.viewportSize() ?? { width: 1280, height: 900 }
  await page.setViewportSize({ ...before, height: Math.max(900, Math.min(height, 4000)) })
  await page.screenshot({ path: join(SHOTS, `${name}.png`) })
  await page.setViewportSize(before)
}

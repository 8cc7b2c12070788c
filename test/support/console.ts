import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/base/lib/clock'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import { atEnd } from './cleanup'
import { browser, type OpenOptions, openVisit, type Visit } from './console-browser'
import { childEnv, type ServerProcess, startServerProcess, tempFolder } from './process'
import { isRelease } from './release'

export { goTo, hasChromium, moveTo, type OpenOptions, untilTrue, type Visit } from './console-browser'

const ROOT = join(import.meta.dir, '../..')

/** Where screenshots of a test run are kept. */
export const SHOTS = join(ROOT, 'dist', 'screens')

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
  template ??= makeTemplate()
  const { path, cookie, projectId } = await template
  const folder = tempFolder()
  cpSync(path, folder.path, { recursive: true })
  const server = await startServerProcess(folder.path, { ...STAGE_ENV, ...env })
  const svc = commandIn(folder.path)
  for (const life of lives) await svc('simulate', ...life, '--project', 'demo')
  const chrome = await browser()
  const visits: Visit[] = []
  return {
    url: server.url,
    server,
    projectId,
    call: callerOf(server.url, cookie),
    svc,
    async open(options = {}) {
      const visit = await openVisit(chrome, server.url, { cookie, ...options })
      visits.push(visit)
      return visit
    },
    async close() {
      for (const visit of visits) await visit.close()
      await server.kill('SIGTERM')
      folder.remove()
    },
  }
}

const STAGE_ENV = { SVC_SIMULATOR: 'on', ...UNLIMITED }

/** The data folder with which every stage begins: an owner, and a project with the catalogue of the demo, without lives. */
interface Template {
  path: string
  cookie: string
  projectId: string
}

let template: Promise<Template> | null = null

async function makeTemplate(): Promise<Template> {
  const { path, remove } = tempFolder()
  atEnd(remove)
  const server = await startServerProcess(path, STAGE_ENV)
  const svc = commandIn(path)
  const { setupLink } = JSON.parse(await svc('user', 'setup-link', '--json')) as { setupLink: string }
  const account = { email: EMAIL, password: PASSWORD }
  await post(server.url, '/api/auth/sign-up', { ...account, name: 'Owner', setupToken: setupLink.split('/').at(-1) })
  const signedIn = await post(server.url, '/api/auth/sign-in', account)
  const cookie = /svc_session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const made = await callerOf(server.url, cookie)('POST', '/dashboard/projects', { name: 'Sleep App', slug: 'demo' })
  await svc('apply', '-f', join(ROOT, 'src/cli/demo.yaml'), '--project', 'demo', '--yes')
  await server.kill('SIGTERM')
  return { path, cookie, projectId: (made.data as { project: { id: string } }).project.id }
}

/** Runs a command on a data folder, here and not in a process of its own: it is about what the console shows afterwards. */
export const commandIn =
  (data: string) =>
  async (...args: string[]): Promise<string> => {
    const out: string[] = []
    const err: string[] = []
    const code = await runCommandLine([...args, '--data', data], {
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
      isTerminal: false,
      env: { ...childEnv(), SVC_SIMULATOR: 'on', SVC_LOG_LEVEL: 'warn' },
      clock: systemClock,
      confirm: async () => false,
      progress: () => {},
      program: PROGRAM,
      stopped: new Promise(() => {}),
    })
    if (code === 0) return out.join('\n')
    throw new Error(`svc ${args.join(' ')} ended with ${code}: ${[...err, ...out].join('\n')}`)
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

/** Runs in the page: waits until colours that change gradually, such as after another theme, are what they will be. */
const SETTLED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.all(document.getAnimations()
    .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
    .map((one) => one.finished.catch(() => {}))))`

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Only what is told about violations is worked out, which halves the work. The rules are the same. */
const AXE_OPTIONS = JSON.stringify({
  runOnly: TAGS,
  resultTypes: ['violations'],
  selectors: false,
  preload: { assets: ['media'] },
})

const VIOLATIONS = `${SETTLED}.then(() => axe.run(document, ${AXE_OPTIONS})).then(({ violations }) => violations.flatMap(
  ({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
    id + ': ' + html.slice(0, 160) + ' | ' + (failureSummary || '').split('\\n').slice(1).join(' ').slice(0, 240))))`

/** Violations of WCAG 2.2 AA that axe-core finds, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Page.setBypassCSP', { enabled: true })
    const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
    if (known.value === 'undefined') await session.send('Runtime.evaluate', { expression: `${axe.source}; 0` })
    const answer = { expression: VIOLATIONS, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', answer)
    if (!result.value) throw new Error(`axe did not run: ${JSON.stringify(exceptionDetails)}`)
    return result.value as string[]
  } finally {
    await session.detach()
  }
}

/** By how many pixels the screen is wider than its window. */
export const excessOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))

/** Keeps a picture of the whole screen among the files of the test run, when somebody will look at them. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!isRelease && !process.env.SVC_TEST_SHOTS) return
  mkdirSync(SHOTS, { recursive: true })
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  const width = page.viewportSize()?.width ?? 1280
  await page.setViewportSize({ width, height: Math.max(900, Math.min(height, 4000)) })
  await page.screenshot({ path: join(SHOTS, `${name}.png`) })
}

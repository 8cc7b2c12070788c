import { join } from 'node:path'
import Database from 'libsql'
import type { Browser } from 'playwright-core'
import { readConfig } from '../../src/base/config'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { chromiumPath } from '../support/console'
import { TEST_KEY } from '../support/context'
import { type Child, ROOT, startServer, startYardstick } from './children'
import { type Frames, launch, SlowVisit } from './console-browser'
import { median } from './measure'
import type { Aim, Figure, Row } from './report'
import { seed } from './seed'
import { IDLE_MS, memoryRows, sizeRow } from './start'
import type { Template } from './template'

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  /** How many people the long list has. */
  subscribers: number
  rounds: number
  say: (line: string) => void
}

const atMost = (value: number): Aim => ({ of: 'result', is: 'at most', value })

const READY_MS = atMost(1000)
const SCRIPT_KB = atMost(150)
/** The display has 60 frames a second; the clock of the page counts one more or less. */
const FRAMES: Aim = { of: 'result', is: 'at least', value: 59 }

/** The console in a browser on a processor that is slowed four times: how soon, how smooth and how large it is. */
export async function benchConsole(plan: Plan): Promise<Row[]> {
  if (!chromiumPath) throw new Error('The console is measured in Chromium, which is not on this machine')
  const chrome = await launch(chromiumPath)
  try {
    return [...(await benchWays(plan, chrome)), ...(await benchList(plan, chrome))]
  } finally {
    await chrome.close()
  }
}

/** The people of the project whose screens are opened. */
const FEW = 2000

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }

/** A deployment with an owner. Everything that was bought counts as production, so that the screens have figures. */
async function open(plan: Plan, name: string, subscribers: number, tables?: string[]): Promise<Child> {
  const folder = join(plan.folder, name)
  seed(plan.template, folder, subscribers, plan.say, tables)
  const database = new Database(join(folder, 'svc.db'))
  for (const table of ['purchases', 'transactions', 'events'])
    database.exec(`UPDATE ${table} SET environment = 'PRODUCTION'`)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  plan.say(`${name}: the purchases are of production`)
  await countFigures(folder, subscribers <= FEW)
  const server = await startServer(plan.command, folder, { SVC_RATE_USER: '0' })
  await signUp(plan, folder, server.url)
  plan.say(`${name}: served with an owner`)
  return server
}

/** Entries of what was bought; or none, and the server is told that they are there, because they would take minutes. */
async function countFigures(folder: string, isWhole: boolean): Promise<void> {
  const ctx = await createContext(readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY }), {
    clock: systemClock,
  })
  await rebuildProjects(ctx, () => !isWhole)
  await ctx.write(({ db, tables: { figureProjects } }) => db.update(figureProjects).set({ doneUntil: null }))
  await rollUp(ctx)
  await ctx.close()
}

/** The first account owns the project. */
async function signUp({ command }: Plan, folder: string, url: string): Promise<void> {
  const asked = [...command.slice(0, -1), 'user', 'setup-link', '--json', '--data', folder]
  const made = Bun.spawnSync(asked, { cwd: ROOT, env: { ...process.env, SVC_MASTER_KEY: TEST_KEY, SVC_FX_URL: 'off' } })
  const setupToken = /\/setup\/([^"\s]+)/.exec(made.stdout.toString())?.[1]
  const answer = await fetch(`${url}/api/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ ...OWNER, name: 'Owner', setupToken }),
  })
  if (!answer.ok) throw new Error(`the sign-up was answered ${answer.status}: ${await answer.text()}`)
}

const OVERVIEW = [/\/overview$/, `document.querySelector('[data-figure=mrr]')?.textContent.trim() !== ''`] as const
const CHART = [/\/charts\/mrr$/, `document.querySelector('main [role=group] svg') !== null`] as const
const PERSON = [/\/subscribers\/sub_\w+$/, 'true'] as const

async function signIn({ page }: SlowVisit): Promise<void> {
  await page.fill('input[type=email]', OWNER.email)
  await page.fill('input[type=password]', OWNER.password)
}

type Spans = Record<'overview' | 'chart' | 'person' | 'guide', number[]>

async function benchWays(plan: Plan, chrome: Browser): Promise<Row[]> {
  const server = await open(plan, 'console', FEW)
  try {
    const spans: Spans = { overview: [], chart: [], person: [], guide: [] }
    let scripts: string[] = []
    let bytes = 0
    for (let round = 0; round <= plan.rounds; round++) {
      const visit = await SlowVisit.open(chrome, server.url)
      const guide = await visit.firstPaint('/docs/guide/start')
      await visit.goTo('/sign-in')
      await signIn(visit)
      const overview = await visit.press('button[type=submit]', ...OVERVIEW)
      scripts = [...visit.scripts.values()].map(({ url }) => url)
      bytes = [...visit.scripts.values()].reduce((sum, script) => sum + script.bytes, 0)
      const chart = await visit.press('main a[href$="/charts/mrr"]:visible', ...CHART)
      await visit.press('nav a[href$="/overview"]:visible', ...OVERVIEW)
      const person = await visit.press('main a[href*="/subscribers/sub_"]:visible', ...PERSON)
      await visit.close()
      plan.say([overview, chart, person, guide].map((ms) => `${Math.round(ms)} ms`).join(', '))
      if (round === 0) continue // The first visit warms the server up.
      for (const [name, ms] of Object.entries({ overview, chart, person, guide })) spans[name as keyof Spans].push(ms)
    }
    const sizes = await byteRows(scripts, bytes)
    await server.stop()
    return [...wayRows(spans), ...sizes, ...(await benchMemory(plan, chrome)), ...sizeRow()]
  } finally {
    await server.stop()
  }
}

function wayRows(spans: Spans): Row[] {
  const guide: Figure = { value: median(spans.guide), unit: 'ms' }
  const row = (what: string, name: keyof Spans): Row => ({
    what: `console, ${what}, processor slowed 4 times (yardstick: first text of a page of the guide)`,
    result: { value: median(spans[name]), unit: 'ms' },
    yardstick: guide,
    aim: READY_MS,
    rounds: spans[name],
  })
  return [
    row('sign-in to overview', 'overview'),
    row('overview to a chart', 'chart'),
    row('overview to a person', 'person'),
  ]
}

/** Plain http gets gzip; https and this machine get brotli. */
async function byteRows(scripts: readonly string[], bytes: number): Promise<Row[]> {
  const sizes = await Promise.all(
    scripts.map(async (url) => {
      const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
      return (await answer.arrayBuffer()).byteLength
    }),
  )
  const gzip = sizes.reduce((sum, size) => sum + size, 0)
  const row = (encoding: string, value: number): Row => ({
    what: `console, script of sign-in and overview, ${scripts.length} files, ${encoding}`,
    result: { value: value / 1024, unit: 'KB' },
    yardstick: null,
    aim: SCRIPT_KB,
  })
  return [row('gzip', gzip), row('brotli as received', bytes)]
}

/** Of a server that has just started: the sign-ups and figures of before are not what it idles with. */
async function benchMemory({ command, folder }: Plan, chrome: Browser): Promise<Row[]> {
  const server = await startServer(command, join(folder, 'console'))
  const visit = await SlowVisit.open(chrome, server.url)
  await visit.goTo('/sign-in')
  await visit.close()
  const empty = await startYardstick('elysia')
  await Bun.sleep(IDLE_MS)
  const rows = memoryRows('idle with the console served once', server, empty)
  await Promise.all([empty.stop(), server.stop()])
  return rows
}

const PAGES = 20
const SPEED = 4000
const SCROLL_MS = 4000

/** The list of everybody: more of it is fetched again and again, then it is scrolled. */
async function benchList(plan: Plan, chrome: Browser): Promise<Row[]> {
  const server = await open(plan, 'console-list', plan.subscribers, ['subscribers', 'purchases', 'transactions'])
  try {
    const visit = await SlowVisit.open(chrome, server.url)
    await visit.goTo('/sign-in')
    await signIn(visit)
    await visit.press('button[type=submit]', /\/overview$/)
    await visit.goTo(`/p/${PROJECT}/subscribers`, `document.querySelector('main [data-row]') !== null`)
    const appends = await append(visit, plan)
    const scrolls = await scrollOften(visit, plan)
    const plain = await plainList(visit, plan)
    await visit.close()
    return listRows(plan, { appends, scrolls, plain })
  } finally {
    await server.stop()
  }
}

const PROJECT = 'project-1'

interface Seen {
  appends: { ms: number; frames: Frames }[]
  scrolls: Frames[]
  plain: Frames[]
}

async function append(visit: SlowVisit, { say }: Plan): Promise<Seen['appends']> {
  const appends: Seen['appends'] = []
  for (let page = 1; page < PAGES; page++) {
    const startedAt = performance.now()
    const frames = await visit.frames(`
      const height = document.documentElement.scrollHeight
      const more = [...document.querySelectorAll('main button')].findLast((one) => one.textContent === 'Show more')
      more.click()
      while (document.documentElement.scrollHeight === height) await bench.frame()`)
    appends.push({ ms: performance.now() - startedAt, frames })
  }
  say(`${PAGES} pages of the list are shown`)
  return appends
}

async function scrollOften(visit: SlowVisit, { rounds, say }: Plan): Promise<Frames[]> {
  const seen: Frames[] = []
  for (let round = 0; round < rounds; round++) {
    const frames = await visit.frames(`await bench.scroll(${SPEED}, ${SCROLL_MS})`)
    say(`${frames.perSecond.toFixed(1)} frames a second, the longest ${frames.longestMs.toFixed(0)} ms`)
    seen.push(frames)
  }
  return seen
}

/** The words of the same rows in a table of a page without a script. */
async function plainList(visit: SlowVisit, plan: Plan): Promise<Frames[]> {
  const head = await visit.page.evaluate(`
    [...document.querySelectorAll('main [data-row]')].slice(0, 20).map((row) => [...row.cells].map((cell) => cell.innerText))`)
  const rows = head as string[][]
  const line = (index: number) =>
    `<tr>${(rows[index % rows.length] ?? []).map((cell) => `<td>${Bun.escapeHTML(cell)}</td>`).join('')}</tr>`
  await visit.page.goto('/docs/guide/start')
  await visit.page.goto('about:blank')
  await visit.page.setContent(
    `<style>tr { height: 32px }</style><table>${Array.from({ length: PAGES * 100 }, (_, index) => line(index)).join('')}</table>`,
  )
  plan.say('the same rows in a plain table')
  return scrollOften(visit, plan)
}

function listRows({ subscribers }: Plan, { appends, scrolls, plain }: Seen): Row[] {
  const of = (frames: readonly Frames[], name: keyof Frames, unit: 'frames/s' | 'ms'): Figure => ({
    value: median(frames.map((one) => one[name])),
    unit,
  })
  const list = `console, a list of ${subscribers.toLocaleString('en')} people`
  return [
    {
      what: `${list}, ${PAGES * 100} rows scrolled, processor slowed 4 times (yardstick: a plain table)`,
      result: of(scrolls, 'perSecond', 'frames/s'),
      yardstick: of(plain, 'perSecond', 'frames/s'),
      aim: FRAMES,
      rounds: scrolls,
    },
    {
      what: `${list}, longest frame of the scrolling`,
      result: of(scrolls, 'longestMs', 'ms'),
      yardstick: of(plain, 'longestMs', 'ms'),
      aim: null,
    },
    {
      what: `${list}, 100 more rows, from the press to the rows`,
      result: { value: median(appends.map(({ ms }) => ms)), unit: 'ms' },
      yardstick: null,
      aim: READY_MS,
      rounds: appends,
    },
    {
      what: `${list}, longest frame while rows are added`,
      result: of(
        appends.map(({ frames }) => frames),
        'longestMs',
        'ms',
      ),
      yardstick: null,
      aim: null,
    },
  ]
}

import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import { DAY } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { type Chart, isEntryChart } from '../../src/insight/charts/chart'
import { CHARTS } from '../../src/insight/charts/charts'
import { saveSettledAnswers } from '../../src/insight/figures/kept/turn'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { TEST_KEY, TestClock, testApp } from '../support/context'
import { person, TestSessions } from '../support/sessions'
import { seedFigures } from './figures-seed'
import { sumAll } from './figures-sums'
import { median } from './measure'
import type { Row } from './report'

interface Plan {
  folder: string
  purchases: number
  /** Calls of each chart and window. */
  calls: number
  say: (line: string) => void
}

const MOST_P95_MS = 300

/**
 * Every chart of entries over three years by month and 400 days by day, whole and by country, and those of people, beside the plain SQL of
 * gross revenue by month over the same entries. The app runs in this process, because the sessions are in memory.
 */
export async function benchFigures({ folder, purchases, calls, say }: Plan): Promise<Row[]> {
  const own = join(folder, 'figures')
  const path = join(own, 'svc.db')
  const now = Date.now()
  const { projectId } = await seedFigures(own, purchases, now, say)
  const sums = sumsIn(path, projectId)
  say(`sums in ${(sums.ms / 1000).toFixed(1)} s`)
  const sqlMs = timePlainSql(path, projectId)
  const rows = await measureCharts({ own, projectId, now, calls, sqlMs, purchases, say })
  return [
    { what: 'figures: all kept sums from nothing', result: { value: sums.ms, unit: 'ms' }, yardstick: null, aim: null },
    {
      what: 'figures: kept sums (yardstick: the whole file)',
      result: { value: sums.bytes / 1e6, unit: 'MB' },
      yardstick: { value: statSync(path).size / 1e6, unit: 'MB' },
      aim: null,
    },
    ...rows,
  ]
}

function sumsIn(path: string, projectId: string): { ms: number; bytes: number } {
  const database = new Database(path)
  const pages = () => (database.prepare('PRAGMA page_count').get() as { page_count: number }).page_count
  const [before, startedAt] = [pages(), performance.now()]
  database.exec('PRAGMA synchronous = OFF')
  sumAll(database, projectId)
  const ms = performance.now() - startedAt
  const bytes = (pages() - before) * 4096
  database.close()
  return { ms, bytes }
}

function timePlainSql(path: string, projectId: string): number {
  const database = new Database(path)
  const startedAt = performance.now()
  database
    .prepare(`SELECT strftime('%Y-%m', at / 1000, 'unixepoch') AS month, sum(gross) FROM figure_entries
      WHERE project_id = ? AND environment = 'PRODUCTION' GROUP BY 1`)
    .all([projectId])
  database.close()
  return performance.now() - startedAt
}

interface Measured {
  own: string
  projectId: string
  now: number
  calls: number
  sqlMs: number
  purchases: number
  say: (line: string) => void
}

async function measureCharts(plan: Measured): Promise<Row[]> {
  const { own, projectId, now, calls, sqlMs, purchases, say } = plan
  const clock = new TestClock(now)
  const config = readConfig({
    ...{ SVC_DATA_DIR: own, SVC_MASTER_KEY: TEST_KEY, SVC_RATE_USER: '0', SVC_RATE_IP: '0', SVC_FX_URL: 'off' },
  })
  const ctx = Object.assign(await createContext(config, { clock }), { clock, lines: [] as string[] })
  try {
    ctx.state.sessions = ownerOf(projectId, now)
    const app = testApp(ctx)
    const rows: Row[] = []
    for (const [what, query] of windowsAt(now))
      for (const [of, charts] of CLASSES) {
        if (!isAsked(of, what)) continue
        const all: Timed[] = []
        for (const { id } of charts) {
          const path = `${projectId}/charts/${id}?${query}`
          // Answers about people are brought up to date, so there is news before each call. What was new at the call
          // before is in the sums by then, as the loop of a server does it every two seconds.
          const before = async () => {
            if (of !== 'people') return
            await rollUp(ctx)
            addNews(join(own, 'svc.db'))
          }
          all.push(await timeChart(id, calls, { before, call: () => call(app, path) }))
          await saveSettledAnswers(ctx)
        }
        const worst = all.reduce((a, b) => (b.p95Ms > a.p95Ms ? b : a))
        const first = all.reduce((a, b) => (b.firstMs > a.firstMs ? b : a))
        const p50Ms = median(all.map((one) => one.p50Ms))
        say(
          `${of}, ${what}: ${all.length} charts, p50 ${p50Ms.toFixed(0)} ms, worst p95 ${worst.p95Ms.toFixed(0)} ms (${worst.id}), slowest first call ${first.firstMs.toFixed(0)} ms (${first.id})`,
        )
        rows.push({
          what: `charts of ${of}, ${purchases.toLocaleString('en')} purchases, ${what}: p95 of the slowest (yardstick: plain SQL of one)`,
          result: { value: worst.p95Ms, unit: 'ms' },
          yardstick: { value: sqlMs, unit: 'ms' },
          aim: { of: 'result', is: 'at most', value: MOST_P95_MS },
        })
      }
    return rows
  } finally {
    await ctx.close()
  }
}

/** Entries: sums of them. People: everybody counts once. Lives: everybody's whole history counts. */
const CLASSES: readonly [of: string, charts: readonly Chart[]][] = [
  ['entries', CHARTS.filter(isEntryChart)],
  ['people', CHARTS.filter((chart) => !isEntryChart(chart) && chart.question)],
  ['lives', CHARTS.filter((chart) => !isEntryChart(chart) && chart.isOfLives)],
]

async function call(app: { handle: (request: Request) => Promise<Response> }, path: string): Promise<void> {
  const url = `http://localhost/dashboard/projects/${path}`
  const answer = await app.handle(new Request(url, { headers: { cookie: 'svc_session=bench' } }))
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${text}`)
}

/** Charts of everybody take long at the first call, so they are asked for fewer windows. */
const isAsked = (of: string, what: string): boolean =>
  of === 'entries' ||
  ['36 months', '36 months by country', ...(of === 'people' ? ['36 months by product in one store'] : [])].includes(
    what,
  )

/** So many entries are new at each call: those of some seconds of a busy project, at any times of three years. */
const NEWS = 100

function addNews(path: string): void {
  const database = new Database(path)
  const names = (database.prepare("SELECT name FROM pragma_table_info('figure_entries')").all() as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'position')
    .join()
  const { last } = database.prepare('SELECT max(position) AS last FROM figure_entries').get() as { last: number }
  const some = Array.from({ length: NEWS }, (_, index) => 1 + Math.floor((index * last) / NEWS)).join()
  database.exec(`INSERT INTO figure_entries (${names}) SELECT ${names} FROM figure_entries WHERE position IN (${some})`)
  database.close()
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

function windowsAt(now: number): [what: string, query: string][] {
  const [years, days] = [`from=${dateOf(now - 1094 * DAY)}&grain=month`, `from=${dateOf(now - 398 * DAY)}&grain=day`]
  return [
    ['36 months', years],
    ['36 months by country', `${years}&groupBy=country`],
    ['36 months by product in one store', `${years}&groupBy=product&store=IOS_STORE`],
    ['36 months as known 60 days ago', `${years}&knownAt=${dateOf(now - 60 * DAY)}`],
    ['400 days', days],
    ['400 days by country', `${days}&groupBy=country`],
  ]
}

interface Timed {
  id: string
  /** Of the first call, which finds no kept answer. */
  firstMs: number
  p50Ms: number
  p95Ms: number
}

interface Calls {
  /** What is not measured. */
  before: () => Promise<void>
  call: () => Promise<void>
}

async function timeChart(id: string, calls: number, { before, call }: Calls): Promise<Timed> {
  const times: number[] = []
  for (let done = 0; done <= calls; done++) {
    if (done > 0) await before()
    const startedAt = performance.now()
    await call()
    times.push(performance.now() - startedAt)
  }
  const [firstMs = 0] = times.splice(0, 1)
  const p95Ms = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0
  return { id, firstMs, p50Ms: median(times), p95Ms }
}

function ownerOf(projectId: string, now: number): TestSessions {
  const sessions = new TestSessions()
  const user = person('usr_bench')
  const life = { createdAt: now, expiresAt: now + 365 * DAY, revokedAt: null, hasPassedTwoFactor: true }
  sessions.sessions.set('bench', { id: 'ses_bench', user, ...life })
  sessions.roles.set(`${user.id} ${projectId}`, 'OWNER')
  return sessions
}

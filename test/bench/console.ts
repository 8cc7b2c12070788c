import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasChromium, launchBrowser } from '../support/browser'
import { startServer, startYardstick } from './children'
import { SLOWED, SlowVisit } from './console-browser'
import { benchList } from './console-list'
import { atMost, FEW, open, type Plan, READY_MS, signIn } from './console-stage'
import { median } from './measure'
import type { Figure, Row } from './report'
import { beenServed, IDLE_MS, memoryRows, sizeRow } from './start'

const SCRIPT_KB = atMost(150)

/** The console in a browser, on a processor that is slowed where a row says so: how soon, how smooth and how large. */
export async function benchConsole(plan: Plan): Promise<Row[]> {
  if (!hasChromium) throw new Error('The console is measured in Chromium, which is not on this machine')
  const chrome = await launchBrowser()
  try {
    return [...(await benchWays(plan, chrome)), ...(await benchList(plan, chrome))]
  } finally {
    await chrome.close()
  }
}

const OVERVIEW = [/\/overview$/, `document.querySelector('[data-figure=mrr]')?.textContent.trim() !== ''`] as const
const CHART = [/\/charts\/mrr$/, `document.querySelector('main [role=group] svg') !== null`] as const
const PERSON = [/\/subscribers\/sub_\w+$/, 'true'] as const

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
    what: `console, ${what}, processor slowed ${SLOWED} times (yardstick: first text of a page of the guide)`,
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
  const start = () => startServer(command, join(folder, 'console'))
  await beenServed(start)
  const server = await start()
  const visit = await SlowVisit.open(chrome, server.url)
  await visit.goTo('/sign-in')
  await visit.close()
  const empty = await startYardstick('elysia')
  await Bun.sleep(IDLE_MS)
  const rows = memoryRows('idle with the console served once', server, empty)
  await Promise.all([empty.stop(), server.stop()])
  return rows
}

import type { Browser } from 'playwright-core'
import { type Frames, SLOWED, SlowVisit } from './console-browser'
import { open, type Plan, READY_MS, signIn } from './console-stage'
import { median } from './measure'
import type { Aim, Row } from './report'

/** The display has 60 frames a second; the clock of the page counts one more or less. */
const FRAMES: Aim = { of: 'result', is: 'at least', value: 59 }

const PAGES = 20
const SPEED = 4000
const SCROLL_MS = 4000

/** The list of everybody: more of it is fetched again and again, then it is scrolled. */
export async function benchList(plan: Plan, chrome: Browser): Promise<Row[]> {
  const server = await open(plan, 'console-list', plan.subscribers, ['subscribers', 'purchases', 'transactions'])
  try {
    const visit = await SlowVisit.open(chrome, server.url)
    await visit.goTo('/sign-in')
    await signIn(visit)
    await visit.press('button[type=submit]', /\/overview$/)
    await visit.goTo(`/p/${PROJECT}/subscribers`, `document.querySelector('main [data-row]') !== null`)
    const appends = await append(visit, plan)
    const slowed = await scrollOften(visit, plan)
    await visit.slow(1)
    const scrolls = await scrollOften(visit, plan)
    await plainList(visit, plan)
    const plain = await scrollOften(visit, plan)
    await visit.slow(SLOWED)
    const plainSlowed = await scrollOften(visit, plan)
    await visit.close()
    return listRows(plan, { appends, scrolls, plain, slowed, plainSlowed })
  } finally {
    await server.stop()
  }
}

const PROJECT = 'project-1'

interface Seen {
  appends: { ms: number; frames: Frames }[]
  scrolls: Frames[]
  plain: Frames[]
  slowed: Frames[]
  plainSlowed: Frames[]
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
async function plainList(visit: SlowVisit, plan: Plan): Promise<void> {
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
}

function listRows({ subscribers }: Plan, { appends, scrolls, plain, slowed, plainSlowed }: Seen): Row[] {
  const list = `console, a list of ${subscribers.toLocaleString('en')} people`
  const scrolled = `${PAGES * 100} rows scrolled`
  return [
    frameRow(`${list}, ${scrolled}`, scrolls, plain, FRAMES),
    longestRow(`${list}, longest frame of the scrolling`, scrolls, plain),
    frameRow(`${list}, ${scrolled}, processor slowed ${SLOWED} times`, slowed, plainSlowed, null),
    longestRow(`${list}, longest frame of the slowed scrolling`, slowed, plainSlowed),
    {
      what: `${list}, 100 more rows, from the press to the rows, processor slowed ${SLOWED} times`,
      result: { value: median(appends.map(({ ms }) => ms)), unit: 'ms' },
      yardstick: null,
      aim: READY_MS,
      rounds: appends,
    },
    {
      what: `${list}, longest frame while rows are added, processor slowed ${SLOWED} times`,
      result: { value: median(appends.map(({ frames }) => frames.longestMs)), unit: 'ms' },
      yardstick: null,
      aim: null,
    },
  ]
}

const frameRow = (what: string, list: readonly Frames[], plain: readonly Frames[], aim: Aim | null): Row => ({
  what: `${what} (yardstick: a plain table)`,
  result: { value: median(list.map(({ perSecond }) => perSecond)), unit: 'frames/s' },
  yardstick: { value: median(plain.map(({ perSecond }) => perSecond)), unit: 'frames/s' },
  aim,
  rounds: list,
})

const longestRow = (what: string, list: readonly Frames[], plain: readonly Frames[]): Row => ({
  what,
  result: { value: median(list.map(({ longestMs }) => longestMs)), unit: 'ms' },
  yardstick: { value: median(plain.map(({ longestMs }) => longestMs)), unit: 'ms' },
  aim: null,
})

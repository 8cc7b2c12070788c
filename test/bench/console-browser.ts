import type { Browser, CDPSession, Page } from 'playwright-core'
import { untilTrue } from '../support/console'

// What a person waits for and sees, measured inside of a browser whose processor is slowed.

/** How many times the processor is slower than this machine's, unless a measurement says otherwise. */
export const SLOWED = 4
/** Somebody who types fast. */
const KEY_MS = 30

/** What Lighthouse calls slow 4G, in milliseconds and bytes a second: 150 ms, 1.6 Mbit/s down, 750 kbit/s up. */
const SLOW_4G = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** The last candidate that the browser named; no other one comes once the page has been quiet for a second. */
const LARGEST = `new Promise((resolve) => {
  let largest = 0
  let timer = setTimeout(() => resolve(largest), 1000)
  new PerformanceObserver((list) => {
    largest = list.getEntries().at(-1).startTime
    clearTimeout(timer)
    timer = setTimeout(() => resolve(largest), 1000)
  }).observe({ type: 'largest-contentful-paint', buffered: true })
})`

/** Functions that every page gets before its own scripts. The tests have no types of the DOM, so this is text. */
const INSIDE = `
window.bench = {
  at: 0,
  /** Settles with the milliseconds from the last press to the first of two frames that follow without a pause. */
  async untilReady(isReady) {
    while (!isReady()) await bench.frame()
    for (let last = await bench.frame(); ; ) {
      const at = await bench.frame()
      if (at - last <= 50 && isReady()) return last - bench.at
      last = at
    }
  },
  frame: () => new Promise((resolve) => requestAnimationFrame(resolve)),
  /** Records the times of frames while something is done. */
  async frames(work) {
    const times = [await bench.frame()]
    let isDone = false
    const done = work().finally(() => (isDone = true))
    while (!isDone) times.push(await bench.frame())
    await done
    const spans = times.slice(1).map((at, index) => at - times[index])
    return { count: spans.length, ms: times.at(-1) - times[0], longestMs: Math.max(...spans) }
  },
  /** Scrolls down, and back up in the second half, at a steady speed. */
  async scroll(perSecond, ms) {
    const startedAt = performance.now()
    for (let spent = 0; spent < ms; spent = performance.now() - startedAt) {
      const y = (Math.min(spent, ms - spent) / 1000) * perSecond
      scrollTo(0, y)
      await bench.frame()
    }
  },
  isShown: (path) =>
    path.test(location.pathname) && document.querySelector('h1') !== null &&
    !document.querySelector('main [aria-busy=true], main [aria-hidden=true] > .h-4.rounded-chip'),
}
addEventListener('pointerdown', (event) => { bench.at = event.timeStamp }, true)
`

export interface Frames {
  perSecond: number
  longestMs: number
}

/** A visit with an empty cache. Its processor is slowed before anything is loaded. */
export class SlowVisit {
  readonly scripts = new Map<string, { url: string; bytes: number }>()

  private constructor(
    readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async open(chrome: Browser, url: string, viewport = { width: 1280, height: 900 }): Promise<SlowVisit> {
    const context = await chrome.newContext({ viewport, baseURL: url })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.addInitScript(INSIDE)
    const session = await context.newCDPSession(page)
    const visit = new SlowVisit(page, session)
    await visit.countScripts()
    await visit.slow(SLOWED)
    return visit
  }

  /** How many times the processor is slower than it is. */
  async slow(rate: number): Promise<void> {
    await this.session.send('Emulation.setCPUThrottlingRate', { rate })
  }

  /** Loads as on a slow mobile network from now on. */
  async onSlowNetwork(): Promise<void> {
    await this.session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G })
  }

  /** Enters a text as a person does, key by key. What a page prepares meanwhile belongs to how fast it is. */
  async type(into: string, text: string): Promise<void> {
    await this.page.locator(into).pressSequentially(text, { delay: KEY_MS })
  }

  private async countScripts(): Promise<void> {
    const { scripts, session } = this
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (type === 'Script') scripts.set(requestId, { url: response.url, bytes: 0 })
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const script = scripts.get(requestId)
      if (script) script.bytes = encodedDataLength
    })
    await session.send('Network.enable')
  }

  /** Milliseconds from the press to the screen at `path`, where `isThere` holds and the processor is free. */
  async press(target: string, path: RegExp, isThere = 'true'): Promise<number> {
    const spent = this.page.evaluate(`bench.untilReady(() => bench.isShown(${path}) && ${isThere})`)
    await this.page.click(target)
    return Number(await spent)
  }

  /** Waits for a screen that nobody measures. */
  async goTo(address: string, isThere = 'true'): Promise<void> {
    await this.page.goto(address)
    await this.page.evaluate(`bench.untilReady(() => bench.isShown(/./) && ${isThere})`)
  }

  /** Milliseconds from the begin of a navigation to the first text of the page. */
  async firstPaint(address: string): Promise<number> {
    await this.page.goto(address)
    const found = `performance.getEntriesByName('first-contentful-paint')[0]`
    await untilTrue(this.page, `${found} !== undefined`)
    return Number(await this.page.evaluate(`${found}.startTime`))
  }

  /** Milliseconds from the begin of a navigation to the largest text or picture of what is seen first. */
  async largestPaint(address: string): Promise<number> {
    await this.page.goto(address, { waitUntil: 'load' })
    return Number(await this.page.evaluate(LARGEST))
  }

  /** Frames while a script runs in the page. */
  async frames(script: string): Promise<Frames> {
    const { count, ms, longestMs } = (await this.page.evaluate(`bench.frames(async () => { ${script} })`)) as {
      count: number
      ms: number
      longestMs: number
    }
    return { perSecond: (count / ms) * 1000, longestMs }
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}

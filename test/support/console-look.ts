import type { Page } from 'playwright-core'
import { type ConsoleStage, excessOf, goTo, moveTo, shoot, type Visit, violationsOf } from './console'
import { untilQuiet } from './console-browser'
import { isRelease } from './release'

export type Theme = 'light' | 'dark'

/** A window of each theme: wide when light, a phone when dark. */
export const WIDTHS = { light: 1280, dark: 390 } as const

/** The narrowest phone, and also a window of 1280 pixels in which everything is four times as large. */
const NARROWEST = 320
const WIDEST = 2560

/**
 * Whether a suite looks at its screens in a theme. Before a release it looks in both. An ordinary run takes the one that
 * the suite names; half of the suites name the other one.
 */
export const isSeenIn = (theme: Theme, ordinary: Theme): boolean => isRelease || theme === ordinary

type Screens = readonly (readonly [name: string, path: string, isReady?: (visit: Visit) => Promise<unknown>])[]

/** Looks at screens as the owner; see `faultsOn`. */
export async function faultsOf(
  stage: ConsoleStage,
  theme: Theme,
  screens: Screens,
  expected?: RegExp,
): Promise<string[]> {
  const visit = await stage.open({ theme, width: WIDTHS[theme] })
  const faults = await faultsOn(visit, theme, screens, expected)
  await visit.close()
  return faults
}

/**
 * Looks at screens one after the other, as light on a wide window or as dark on a phone. The answer is what is wrong: what
 * axe finds, what the browser complains about, and sideways scroll at any width. Only the first screen loads the page.
 * `expected` names complaints that belong to a screen, such as of an answer that nothing is there.
 */
export async function faultsOn(visit: Visit, theme: Theme, screens: Screens, expected = /^$/): Promise<string[]> {
  const { page, complaints } = visit
  const faults: string[] = []
  for (const [at, [name, path, isReady]] of screens.entries()) {
    await (at === 0 ? goTo(page, path) : moveTo(page, path))
    await isReady?.(visit)
    await untilQuiet(page)
    const complained = complaints.splice(0).filter((complaint) => !expected.test(complaint))
    const found = [...(await faultsHere(page, theme, name)), ...complained, ...complaints.splice(0)]
    faults.push(...found.map((fault) => `${name}, ${theme}: ${fault}`))
  }
  return faults
}

/** What axe finds on the screen that is shown, a heading without a text, and sideways scroll. A picture is kept. */
export async function faultsHere(page: Page, theme: Theme, name: string): Promise<string[]> {
  const found = await violationsOf(page)
  if (!(await page.locator('h1').first().textContent())?.trim()) found.push('no heading')
  await shoot(page, `${name}-${theme}-${WIDTHS[theme]}`)
  for (const width of [WIDEST, WIDTHS.light, WIDTHS.dark, NARROWEST]) {
    const excess = await excessAt(page, width)
    if (excess > 0) found.push(`${excess} px too wide at ${width}`)
  }
  await page.setViewportSize({ width: WIDTHS[theme], height: 900 })
  return found
}

const MOST_FRAMES = 120

/** Sideways scroll after the drawings have taken the width; one that stays for 120 frames is the answer. */
async function excessAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 })
  for (let frames = 1; ; frames += 1) {
    const excess = await excessOf(page)
    if (excess <= 0 || frames === MOST_FRAMES) return excess
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
  }
}

/** Short messages stay on the screen, so that no test must be fast enough to see one or to click on its "Undo". */
export const keepToasts = ({ context }: Visit): Promise<unknown> =>
  context.addInitScript(
    'const later = globalThis.setTimeout; globalThis.setTimeout = (act, ms, ...rest) => ms === 5000 || ms === 10000 ? 0 : later(act, ms, ...rest)',
  )

/** Gives the project a time zone where it is about noon, so that no day ends while a test runs. */
export async function setNoon(stage: ConsoleStage): Promise<void> {
  const hours = 12 - new Date().getUTCHours()
  const timezone = hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  const { status } = await stage.call('PATCH', `/dashboard/projects/${stage.projectId}`, { timezone })
  if (status !== 200) throw new Error(`the time zone was refused with ${status}`)
}

/** Goes on by Tab to a control whose text or name begins so, as somebody without a mouse does. */
export async function tabTo({ page }: Visit, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(
      `(() => { const one = document.activeElement; const words = one?.labels?.[0]?.textContent || one?.getAttribute('aria-label') || one?.textContent || ''; return words.trim() })()`,
    )
    if (String(here).startsWith(name)) return
  }
  throw new Error(`Tab never came to ${name}`)
}

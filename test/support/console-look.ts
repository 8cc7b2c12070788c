import { type ConsoleStage, excessOf, shoot, type Visit, violationsOf, walkTo } from './console'
import type { Look } from './release'

type Screens = readonly (readonly [name: string, path: string, isReady?: (visit: Visit) => Promise<unknown>])[]

/** A very wide window, a common one, a phone and a narrow phone. */
const WIDTHS = [2560, 1280, 390, 320]

/**
 * Looks at screens in one theme. The answer is what is wrong: what axe finds, what the browser complains about, and
 * sideways scroll on a window of any width. A picture of each is kept.
 */
export async function faultsOf(stage: ConsoleStage, { theme, width }: Look, screens: Screens): Promise<string[]> {
  const visit = await stage.open({ theme, width })
  const { page, complaints } = visit
  const faults: string[] = []
  for (const [name, path, isReady] of screens) {
    const tell = (fault: string) => faults.push(`${name}, ${theme}: ${fault}`)
    await page.setViewportSize({ width, height: 900 })
    await walkTo(page, path)
    await isReady?.(visit)
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    for (const found of await violationsOf(page)) tell(found)
    await shoot(page, `${name}-${theme}-${width}`)
    for (const one of WIDTHS) {
      await page.setViewportSize({ width: one, height: 900 })
      const excess = await excessOf(page)
      if (excess > 0) tell(`${excess} px too wide at ${one}`)
    }
    for (const complaint of complaints.splice(0)) tell(complaint)
  }
  await visit.close()
  return faults
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

/** Continues by Tab to a control whose text or name begins so, as somebody without a mouse does. */
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

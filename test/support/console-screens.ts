import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleStage, excessOf, laidOut, shoot, violationsOf, walkTo } from './console'
import { LOOKS } from './release'

/** A common window, a phone and a narrow phone. */
const WIDTHS = [1280, 390, 320]
const PHONE = 768

/** The names of the lists of a screen that are wider than their place, after they have taken the width. */
export function slidingListsOf(page: Page): Promise<string[]> {
  const lists = `[...document.querySelectorAll('table[data-list]')]`
  const wide = `${lists}.filter(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth > clientWidth)`
  const names = `${wide}.map((one) => one.getAttribute('aria-label'))`
  return laidOut(
    page,
    async () => (await page.evaluate(names)) as string[],
    (found) => found.length === 0,
  )
}

/**
 * Looks at screens (`LOOKS`): a heading, nothing for axe to find, nothing that the browser complains about, and no
 * sideways scroll on a window of any width. A picture of each is kept. `expected` names complaints that belong to a
 * screen, such as of an answer that nothing is there.
 */
export async function expectSoundScreens(
  stage: ConsoleStage,
  screens: Record<string, string>,
  expected = /^$/,
): Promise<void> {
  const faults: string[] = []
  for (const { theme, width } of LOOKS) {
    const { page, complaints, close } = await stage.open({ theme, width })
    for (const [name, path] of Object.entries(screens)) {
      await page.setViewportSize({ width, height: 900 })
      await walkTo(page, path)
      const found = await violationsOf(page)
      for (const one of WIDTHS) {
        await page.setViewportSize({ width: one, height: 900 })
        const excess = await excessOf(page)
        if (excess > 0) found.push(`${excess} px too wide for ${one}`)
        if (one < PHONE) found.push(...(await slidingListsOf(page)).map((list) => `${list} scrolls sideways at ${one}`))
      }
      await page.setViewportSize({ width, height: 900 })
      found.push(...complaints.splice(0).filter((complaint) => !expected.test(complaint)))
      faults.push(...found.map((fault) => `${name}, ${theme}, ${width}: ${fault}`))
      await shoot(page, `${name}-${theme}-${width}`)
    }
    await close()
  }
  expect(faults).toEqual([])
}

/** Waits until something is so, on the screen or at the server. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Bun.nanoseconds() + 180e9
  while (!(await holds())) {
    if (Bun.nanoseconds() > end) throw new Error('it did not become so within three minutes')
    await Bun.sleep(100)
  }
}

const MOST_TABS = 150

/** Goes to a control as somebody does who has only a keyboard. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  const focused = control.and(page.locator(':focus'))
  for (let tabs = 0; (await focused.count()) === 0; tabs++) {
    if (tabs === MOST_TABS) throw new Error(`Tab does not lead to ${control}`)
    await page.keyboard.press('Tab')
  }
}

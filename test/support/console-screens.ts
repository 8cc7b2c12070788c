import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleStage, excessOf, goTo, shoot, violationsOf } from './console'

const NARROWEST = 320

/**
 * Looks at screens as light on a wide window and as dark on a phone: a heading, nothing for axe to find, nothing that the
 * browser complains about, and no sideways scroll, on the narrowest phone either. A picture of each is kept. `expected`
 * names complaints that belong to a screen, such as of an answer that nothing is there.
 */
export async function expectSoundScreens(
  stage: ConsoleStage,
  screens: Record<string, string>,
  expected = /^$/,
): Promise<void> {
  const faults: string[] = []
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    const { page, complaints, close } = await stage.open({ theme, width })
    for (const [name, path] of Object.entries(screens)) {
      await page.setViewportSize({ width, height: 900 })
      await goTo(page, path)
      const found = await violationsOf(page)
      for (const one of width < NARROWEST * 2 ? [width, NARROWEST] : [width]) {
        await page.setViewportSize({ width: one, height: 900 })
        const excess = await excessOf(page)
        if (excess > 0) found.push(`${excess} px too wide for ${one}`)
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

/** Waits until something is so at the server. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Bun.nanoseconds() + 180e9
  while (!(await holds())) {
    if (Bun.nanoseconds() > end) throw new Error('it did not become so within three minutes')
    await Bun.sleep(500)
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

import type { Locator, Page } from 'playwright-core'

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

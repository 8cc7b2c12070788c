import { expect } from 'bun:test'
import { type ConsoleStage, excessOf, goTo, shoot, violationsOf } from './console'

/**
 * Looks at screens as light on a wide window and as dark on a phone: a heading, nothing for axe to find, nothing that the
 * browser complains about, and no sideways scroll. A picture of each is kept.
 */
export async function expectSoundScreens(stage: ConsoleStage, screens: Record<string, string>): Promise<void> {
  const faults: string[] = []
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    const { page, complaints, close } = await stage.open({ theme, width })
    for (const [name, path] of Object.entries(screens)) {
      await page.setViewportSize({ width, height: 900 })
      await goTo(page, path)
      const excess = await excessOf(page)
      const found = await violationsOf(page)
      if (excess > 0) found.push(`${excess} px too wide`)
      found.push(...complaints.splice(0))
      faults.push(...found.map((fault) => `${name}, ${theme}, ${width}: ${fault}`))
      await shoot(page, `${name}-${theme}-${width}`)
    }
    await close()
  }
  expect(faults).toEqual([])
}

/** Waits until something is so at the server. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Bun.nanoseconds() + 60e9
  while (!(await holds())) {
    if (Bun.nanoseconds() > end) throw new Error('it did not become so within a minute')
    await Bun.sleep(500)
  }
}

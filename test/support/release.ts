/** Whether everything runs that is too long for each change: `SVC_TEST_RELEASE=1`, before a release. */
export const isRelease = process.env.SVC_TEST_RELEASE === '1'

/** A number that is higher before a release. */
export const moreInRelease = (ordinary: number, release: number): number => (isRelease ? release : ordinary)

/** The first items of a list; before a release all of them. */
export const fewerThanInRelease = <T>(ordinary: number, items: readonly T[]): readonly T[] =>
  items.slice(0, moreInRelease(ordinary, items.length))

export interface Look {
  theme: 'light' | 'dark'
  width: number
}

/** How each screen is looked at: in the light theme on a wide window, and before a release in the dark one on a phone, too. */
export const LOOKS = fewerThanInRelease<Look>(1, [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
])

/** Whether everything runs that is too long for each change: `SVC_TEST_RELEASE=1`, before a release. */
export const isRelease = process.env.SVC_TEST_RELEASE === '1'

/** A number that is higher before a release. */
export const moreInRelease = (ordinary: number, release: number): number => (isRelease ? release : ordinary)

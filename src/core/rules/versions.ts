/** A version as it is compared. Numbers are digits without leading zeros, so that they may be of any length. */
export interface Version {
  /** Always four: major, minor, patch and the fourth part that some stores have. */
  parts: readonly string[]
  /** The identifiers of a pre-release; null for a release. */
  preRelease: readonly string[] | null
}

const VERSION = /^[vV]?(\d+(?:\.\d+){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]*)?$/
const DIGITS = /^\d+$/
const MAX_PARTS = 4

/**
 * A semantic version 2.0.0, also with one, two or four parts (missing ones are 0), leading zeros or a `v`. What follows
 * a plus sign is ignored. Null for any other text.
 */
export function readVersion(text: string): Version | null {
  const match = VERSION.exec(text)
  if (!match) return null
  const given = (match[1] ?? '').split('.').map(plainDigits)
  const parts = [...given, ...Array.from({ length: MAX_PARTS - given.length }, () => '0')]
  return { parts, preRelease: match[2]?.split('.') ?? null }
}

/** Below, at or above zero. A pre-release comes before its release. */
export function compareVersions(a: Version, b: Version): number {
  for (let index = 0; index < MAX_PARTS; index++) {
    const order = compareDigits(a.parts[index] ?? '0', b.parts[index] ?? '0')
    if (order !== 0) return order
  }
  if (a.preRelease === null || b.preRelease === null)
    return Number(b.preRelease !== null) - Number(a.preRelease !== null)
  return comparePreReleases(a.preRelease, b.preRelease)
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareIdentifiers(a[index] ?? '', b[index] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Numbers by size and before texts; texts by their characters. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [DIGITS.test(a), DIGITS.test(b)]
  if (isNumber && isOtherNumber) return compareDigits(plainDigits(a), plainDigits(b))
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return compareTexts(a, b)
}

const compareDigits = (a: string, b: string): number => a.length - b.length || compareTexts(a, b)

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function plainDigits(digits: string): string {
  let start = 0
  while (start < digits.length - 1 && digits[start] === '0') start++
  return digits.slice(start)
}

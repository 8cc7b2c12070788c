/**
 * Compares a value with what a case expects. An object may have more members than expected, a list not. A text `<name>`
 * stands for any value, which must be the same wherever the name stands again. Gives a sentence about the first
 * difference, or null.
 */
export function differenceOf(expected: unknown, found: unknown, names: Map<string, unknown>, at = ''): string | null {
  const name = typeof expected === 'string' ? /^<(.+)>$/.exec(expected)?.[1] : undefined
  if (name !== undefined && found !== undefined) return differenceOfNamed(name, found, names, at)
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return sayDifferent(expected, found, at)
  } else if (expected === null || typeof expected !== 'object')
    return Object.is(expected, found) ? null : sayDifferent(expected, found, at)
  if (found === null || typeof found !== 'object') return sayDifferent(expected, found, at)
  for (const [key, value] of Object.entries(expected)) {
    const difference = differenceOf(value, (found as Record<string, unknown>)[key], names, `${at}.${key}`)
    if (difference) return difference
  }
  return null
}

function differenceOfNamed(name: string, found: unknown, names: Map<string, unknown>, at: string): string | null {
  if (!names.has(name)) {
    if ([...names.values()].includes(found)) return `${at} must be a new value, and is ${JSON.stringify(found)}`
    names.set(name, found)
  }
  return names.get(name) === found ? null : sayDifferent(names.get(name), found, at)
}

const sayDifferent = (expected: unknown, found: unknown, at: string): string =>
  `${at || 'the value'} must be ${JSON.stringify(expected)}, and is ${JSON.stringify(found)}`

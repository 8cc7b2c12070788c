import { isDeepStrictEqual } from 'node:util'
import { type Entry, VALUE_NAMES, type ValueName, type Values } from './model'

/** An entry, or what of it differs, with the groups that it counts in. */
export interface PlacedEntry<Groups> extends Entry {
  groups: Groups
}

/** What names an entry within its purchase. */
const nameOf = ({ kind, key, at, storeProductId, price, pendingUntil }: Entry): string =>
  JSON.stringify([kind, key, at, storeProductId, price, pendingUntil])

/** One entry for each name: the sum of its rows, in the groups of the last one. Those that came to nothing are left out. */
export function netted<Groups>(rows: readonly PlacedEntry<Groups>[]): PlacedEntry<Groups>[] {
  const byName = new Map<string, PlacedEntry<Groups>>()
  for (const row of rows) {
    const name = nameOf(row)
    const known = byName.get(name)
    byName.set(name, known ? { ...row, values: plus(known.values, row.values, 1) } : row)
  }
  return [...byName.values()].filter(({ values }) => !isNothing(values))
}

/**
 * What must be added to the held entries so that they become the wanted ones. What is taken back counts in the groups in
 * which it was counted, also of an entry that is wanted in other groups.
 */
export function difference<Groups>(
  held: readonly PlacedEntry<Groups>[],
  wanted: readonly PlacedEntry<Groups>[],
): PlacedEntry<Groups>[] {
  if (held.length === 0) return wanted.filter(({ values }) => !isNothing(values))
  const heldOf = new Map(held.map((one) => [nameOf(one), one]))
  const names = new Set<string>()
  const changed = wanted.flatMap((one) => {
    const name = nameOf(one)
    names.add(name)
    const before = heldOf.get(name)
    if (!before) return [one]
    if (!isDeepStrictEqual(before.groups, one.groups)) return [takenBack(before), one]
    return [{ ...before, values: plus(one.values, before.values, -1) }]
  })
  const gone = held.filter((one) => !names.has(nameOf(one)))
  return [...gone.map(takenBack), ...changed].filter(({ values }) => !isNothing(values))
}

const takenBack = <Groups>(one: PlacedEntry<Groups>): PlacedEntry<Groups> => ({
  ...one,
  values: plus({}, one.values, -1),
})

export function isNothing(values: Values): boolean {
  for (const name in values) if (values[name as ValueName] !== 0) return false
  return true
}

function plus(a: Values, b: Values, sign: 1 | -1): Values {
  const sum: { [Name in ValueName]?: number } = {}
  for (const name of VALUE_NAMES) {
    const value = (a[name] ?? 0) + sign * (b[name] ?? 0)
    if (value !== 0) sum[name] = value
  }
  return sum
}

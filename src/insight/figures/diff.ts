import { type Entry, VALUE_NAMES, type ValueName, type Values } from './model'

/** An entry, or what of it differs, with the groups that it counts in. */
export interface PlacedEntry<Groups> extends Entry {
  groups: Groups
}

/** What names an entry within its purchase. */
const nameOf = ({ kind, key, at, storeProductId, price, pendingUntil }: Entry): string =>
  JSON.stringify([kind, key, at, storeProductId, price, pendingUntil])

/** One entry for each name: the sum of its rows, in the groups of the first one. Those that came to nothing are left out. */
export function netted<Groups>(rows: readonly PlacedEntry<Groups>[]): PlacedEntry<Groups>[] {
  const byName = new Map<string, PlacedEntry<Groups>>()
  for (const row of rows) {
    const known = byName.get(nameOf(row))
    byName.set(nameOf(row), known ? { ...known, values: plus(known.values, row.values, 1) } : row)
  }
  return [...byName.values()].filter(({ values }) => !isNothing(values))
}

/**
 * What must be added to the held entries so that they become the wanted ones. What is taken back counts in the groups in
 * which it was counted.
 */
export function difference<Groups>(
  held: readonly PlacedEntry<Groups>[],
  wanted: readonly PlacedEntry<Groups>[],
): PlacedEntry<Groups>[] {
  const heldOf = new Map(held.map((one) => [nameOf(one), one]))
  const names = new Set(wanted.map(nameOf))
  const changed = wanted.map((one) => {
    const before = heldOf.get(nameOf(one))
    return before ? { ...before, values: plus(one.values, before.values, -1) } : one
  })
  const gone = held.filter((one) => !names.has(nameOf(one)))
  const takenBack = gone.map((one) => ({ ...one, values: plus({}, one.values, -1) }))
  return [...takenBack, ...changed].filter(({ values }) => !isNothing(values))
}

export const isNothing = (values: Values): boolean => Object.values(values).every((value) => value === 0)

function plus(a: Values, b: Values, sign: 1 | -1): Values {
  const sum: { [Name in ValueName]?: number } = {}
  for (const name of VALUE_NAMES) {
    const value = (a[name] ?? 0) + sign * (b[name] ?? 0)
    if (value !== 0) sum[name] = value
  }
  return sum
}

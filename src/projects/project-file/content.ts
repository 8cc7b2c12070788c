import type { Saved } from './model'

/** Members of an exported object; those at their default are left out. */
export type Content = Record<string, unknown>

/** Objects under their names, by name. */
export const contentByName = <State>(saved: readonly Saved<State>[], write: (state: State) => Content): Content =>
  byName(saved.map(({ name, state }) => [name, write(state)]))

export const byName = (objects: readonly (readonly [name: string, content: Content])[]): Content =>
  Object.fromEntries(objects.toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Without the members that are null or absent: these are the default. */
export const withoutNulls = (members: Content): Content =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** Without the members that are null, absent or empty: all of these are the default. */
export const withoutEmpty = (members: Content): Content =>
  Object.fromEntries(
    Object.entries(withoutNulls(members)).filter(
      ([, value]) => typeof value !== 'object' || Object.keys(value as object).length > 0,
    ),
  )

/** The value, where it is not the default. */
export const unless = <Value>(byDefault: Value, value: Value): Value | undefined =>
  value === byDefault ? undefined : value

/** JSON of the project's own with members in the order of their names: databases keep no order of their own. */
export function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortDeep)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortDeep(member)]))
}

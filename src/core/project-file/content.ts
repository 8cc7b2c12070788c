/** The members of an exported object. Members with their default value are left out. */
export type Content = Record<string, unknown>

/** The content of each object under its name, sorted by name. */
export const contentByName = <State>(
  saved: readonly { name: string; state: State }[],
  write: (state: State) => Content,
): Content => byName(saved.map(({ name, state }) => [name, write(state)]))

export const byName = (objects: readonly (readonly [name: string, content: Content])[]): Content =>
  Object.fromEntries(objects.toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Leaves out the members that are null or undefined, for objects where that is the default. */
export const withoutNulls = (members: Content): Content =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** Leaves out the members that are null, undefined or empty, for objects where these are the default. */
export const withoutEmpty = (members: Content): Content =>
  Object.fromEntries(
    Object.entries(withoutNulls(members)).filter(
      ([, value]) => typeof value !== 'object' || Object.keys(value as object).length > 0,
    ),
  )

/** The value, or undefined if it is the default. */
export const unless = <Value>(byDefault: Value, value: Value): Value | undefined =>
  value === byDefault ? undefined : value

/** JSON that the project defines, with members sorted by name: databases do not keep the order of members. */
export function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortDeep)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortDeep(member)]))
}

/** The objects in a saved list. Invalid values in the database are left out, so that a file can correct them. */
export const objectsIn = <Each extends object>(list: readonly (Each | null)[]): Each[] =>
  Array.isArray(list) ? list.flatMap((each: Each | null) => (typeof each === 'object' && each ? each : [])) : []

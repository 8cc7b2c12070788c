import type { RowChanges } from '../../base/db/row-changes'
import type { Identified, Pair, Saved } from './model'
import { isChanged } from './pair'

type Ids = ReadonlyMap<string, string>

/** The id of an object that a checked plan names. Throws if there is none. */
export function idOf(ids: Ids, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`${name} has no id: the plan was not checked`)
  return id
}

/** As `idOf`; null if no object is named. */
export const idOrNull = (ids: Ids, name: string | null): string | null => (name === null ? null : idOf(ids, name))

/** The name of an object; its id if the object no longer exists, so that the reference stays the same. */
export const nameOf = (names: Ids, id: string): string => names.get(id) ?? id

/** As `nameOf`; null if there is no id. */
export const nameOrNull = (names: Ids, id: string | null): string | null => (id === null ? null : nameOf(names, id))

/** Converts a reference by id. A reference to a row that no longer exists is left out. */
export function present<Found>(names: Ids, id: string, make: (name: string) => Found): Found[] {
  const name = names.get(id)
  return name === undefined ? [] : [make(name)]
}

/** The objects in a saved list. Invalid values in the database are left out, so that a file can correct them. */
export const objectsIn = <Each extends object>(list: readonly (Each | null)[]): Each[] =>
  Array.isArray(list) ? list.flatMap((each: Each | null) => (typeof each === 'object' && each ? each : [])) : []

/** A saved object with its name after the renames of the file. */
export const savedAs = <State>(names: Ids, id: string, formerName: string, state: State): Saved<State> => ({
  id,
  name: names.get(id) ?? formerName,
  formerName,
  state,
})

type MakeRow<State, Row> = (id: string, name: string, state: State) => Row

/** The changes of the rows of a section. */
export function changed<State, Row>(pairs: readonly Identified<State>[], make: MakeRow<State, Row>): RowChanges<Row> {
  const changedPairs = pairs.filter((pair: Pair<State>) => isChanged(pair))
  const rows = (isNew: boolean) =>
    changedPairs.flatMap(({ id, name, before, after }) =>
      after !== null && (before === null) === isNew ? [make(id, name, after)] : [],
    )
  const deletedIds = changedPairs.flatMap(({ id, after }) => (after === null ? [id] : []))
  return { created: rows(true), updated: rows(false), deletedIds }
}

import type { RowChanges } from '../../base/db/row-changes'
import type { Identified, Pair, Saved } from './model'
import { isChanged } from './pair'

type Ids = ReadonlyMap<string, string>

/** The id of an object that a checked plan names. */
export function idOf(ids: Ids, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`${name} has no id: the plan was not checked`)
  return id
}

/** Null where nothing is named. */
export const idOrNull = (ids: Ids, name: string | null): string | null => (name === null ? null : idOf(ids, name))

/** What is gone keeps its id for a name: without one, the reference would be another. */
export const nameOf = (names: Ids, id: string): string => names.get(id) ?? id

/** Null where nothing is named. */
export const nameOrNull = (names: Ids, id: string | null): string | null => (id === null ? null : nameOf(names, id))

/** What becomes of a reference by id; one to a row that is gone is left out. */
export function present<Found>(names: Ids, id: string, make: (name: string) => Found): Found[] {
  const name = names.get(id)
  return name === undefined ? [] : [make(name)]
}

/** What somebody broke in the tables is left out, so that a file can put it right. */
export const objectsIn = <Each extends object>(list: readonly (Each | null)[]): Each[] =>
  Array.isArray(list) ? list.flatMap((each: Each | null) => (typeof each === 'object' && each ? each : [])) : []

/** A saved object under the name that it will have. */
export const savedAs = <State>(names: Ids, id: string, formerName: string, state: State): Saved<State> => ({
  id,
  name: names.get(id) ?? formerName,
  formerName,
  state,
})

type MakeRow<State, Row> = (id: string, name: string, state: State) => Row

/** What becomes of a section's rows. */
export function changed<State, Row>(pairs: readonly Identified<State>[], make: MakeRow<State, Row>): RowChanges<Row> {
  const moving = pairs.filter((pair: Pair<State>) => isChanged(pair))
  const rows = (isNew: boolean) =>
    moving.flatMap(({ id, name, before, after }) =>
      after !== null && (before === null) === isNew ? [make(id, name, after)] : [],
    )
  const deletedIds = moving.flatMap(({ id, after }) => (after === null ? [id] : []))
  return { created: rows(true), updated: rows(false), deletedIds }
}

import type { RowChanges } from '../../base/db/row-changes'
import { canonicalJson } from '../../base/lib/hash'
import type { Identified, Live, Pair, Saved, SectionKey, Wanted } from './model'
import { type Path, type Problem, problem } from './problem'
import type { User } from './section'

/** The state that a saved object gets if it is not in the file; null deletes it. */
export type Leftover<State> = (saved: Saved<State>) => State | null

/** All objects of a section, those of the file first. The others do not change, unless `leftover` changes them. */
export function pairUp<State>(
  saved: readonly Saved<State>[],
  wanted: readonly Wanted<State>[] | null,
  leftover: Leftover<State> | null,
): Pair<State>[] {
  const byName = new Map(saved.map((object) => [object.name, object]))
  const inFile = new Set(wanted?.map(({ name }) => name))
  const others = saved.filter(({ name }) => !inFile.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const prune = wanted === null ? null : leftover
  return [
    ...(wanted ?? []).map(({ name, path, state }) => pairOf(byName.get(name) ?? null, name, state, path)),
    ...others.map((object) => ({
      ...pairOf(object, object.name, prune ? prune(object) : object.state, null),
      isPruned: prune !== null,
    })),
  ]
}

const pairOf = <State>(
  saved: Saved<State> | null,
  name: string,
  after: State | null,
  path: Path | null,
): Pair<State> => ({
  id: saved?.id ?? null,
  name,
  formerName: saved?.formerName ?? null,
  before: saved?.state ?? null,
  after,
  path,
  isPruned: false,
})

/** The input of a plan; `wanted` null = the file does not have the section. */
interface Given<State> {
  saved: readonly Saved<State>[]
  wanted: readonly Wanted<State>[] | null
  prune: boolean
}

/** The plan of a section whose `Entry` is its `State`. `--prune` deletes objects, unless `leftover` keeps them. */
export const planObjects = <State>(
  { saved, wanted, prune }: Given<State>,
  leftover: Leftover<State> = () => null,
): Pair<State>[] => pairUp(saved, wanted, prune ? leftover : null)

/** The objects that exist after the file is applied. */
export const live = <State>(pairs: readonly Pair<State>[]): Live<State>[] =>
  pairs.filter((pair): pair is Live<State> => pair.after !== null)

/** The objects that exist after the file is applied and that are not in the file. */
export const leftAlone = <State>(pairs: readonly Pair<State>[]): Live<State>[] =>
  live(pairs).filter(({ path }) => path === null)

/** The objects that do not exist after the file is applied. */
export const gone = <State>(pairs: readonly Pair<State>[]): Pair<State>[] => pairs.filter(({ after }) => after === null)

/** Whether applying the file would change the name of the object or what `view` gives of it. */
export const isChanged = <State>(
  { name, formerName, before, after }: Pair<State>,
  view: (state: State) => unknown = (state) => state,
): boolean =>
  name !== formerName ||
  canonicalJson(before === null ? null : view(before)) !== canonicalJson(after === null ? null : view(after))

/** The new names of the saved objects of a section, by their saved names. */
export const newNamesOf = (pairs: readonly Pair<unknown>[]): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(({ name, formerName }) => (formerName === null ? [] : [[formerName, name]])))

/** A problem for each pruned object that another object uses. The message names the first such object. */
export const lost = (
  { name: section, kind }: SectionKey<unknown>,
  pairs: readonly Pair<unknown>[],
  users: readonly User[],
): Problem[] =>
  pairs
    .filter(({ isPruned }) => isPruned)
    .flatMap(({ name }) => {
      const user = users.find(({ names }) => names.includes(name))
      if (!user) return []
      const message = `${kind} ${name} cannot be pruned: ${user.kind} ${user.name} uses it`
      return [problem([section], message, 'CONFLICT')]
    })

/**
 * The problem of a section with more objects than a project may have. It is reported only when the file adds an object:
 * a file that adds nothing did not cause it.
 */
export function tooMany<State>(
  { name }: SectionKey<State>,
  pairs: readonly Pair<State>[],
  max: number,
  counts: (state: State) => boolean = () => true,
): Problem[] {
  const counted = live(pairs).filter(({ after }) => counts(after))
  const grows = counted.some(({ before }) => before === null || !counts(before))
  return grows ? over([name], name, counted.length, max) : []
}

/** A problem at `path` if a count is above its limit. */
export const over = (path: Path, what: string, count: number, max: number): Problem[] =>
  count <= max ? [] : [problem(path, `${count} ${what}, but at most ${max}`, 'CONFLICT')]

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

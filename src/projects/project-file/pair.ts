import { canonicalJson } from '../../base/lib/hash'
import type { Live, Pair, Saved, Wanted } from './model'
import type { Path } from './problem'

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

import { canonicalJson } from '../../base/lib/hash'
import type { Live, Pair, Saved, Wanted } from './model'
import type { Path } from './problem'

/** What becomes of a saved object that the file lacks. */
export type Leftover<State> = (saved: Saved<State>) => State | null

/** Every object of a section, those of the file first; the others stay as they are unless `leftover` says more. */
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

/** What a section plans from; `wanted` null = the file has no such section. */
interface Given<State> {
  saved: readonly Saved<State>[]
  wanted: readonly Wanted<State>[] | null
  prune: boolean
}

/** The plan of a section that writes its objects as they are compared; `--prune` deletes, unless `leftover` says more. */
export const planObjects = <State>(
  { saved, wanted, prune }: Given<State>,
  leftover: Leftover<State> = () => null,
): Pair<State>[] => pairUp(saved, wanted, prune ? leftover : null)

/** The objects that will be there. */
export const live = <State>(pairs: readonly Pair<State>[]): Live<State>[] =>
  pairs.filter((pair): pair is Live<State> => pair.after !== null)

/** Those of them that the file does not name. */
export const leftAlone = <State>(pairs: readonly Pair<State>[]): Live<State>[] =>
  live(pairs).filter(({ path }) => path === null)

/** The objects that will not be there. */
export const gone = <State>(pairs: readonly Pair<State>[]): Pair<State>[] => pairs.filter(({ after }) => after === null)

/** Whether applying would change the object, as far as `view` shows it. */
export const isChanged = <State>(
  { name, formerName, before, after }: Pair<State>,
  view: (state: State) => unknown = (state) => state,
): boolean =>
  name !== formerName ||
  canonicalJson(before === null ? null : view(before)) !== canonicalJson(after === null ? null : view(after))

/** What every saved object of a section will be called, by what it is called now. */
export const newNamesOf = (pairs: readonly Pair<unknown>[]): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(({ name, formerName }) => (formerName === null ? [] : [[formerName, name]])))

import type { Saved } from './current'
import type { Wanted } from './model'
import type { Path } from './problem'

/** An object before and after a file is applied; `before` null = new, `after` null = deleted. */
export interface Pair<State> {
  /** Null while the object is new. */
  id: string | null
  name: string
  formerName: string | null
  before: State | null
  after: State | null
  /** Where the file names it; null = the file does not. */
  path: Path | null
  isPruned: boolean
}

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

export type Live<State> = Pair<State> & { after: State }

/** The objects that will be there. */
export const live = <State>(pairs: readonly Pair<State>[]): Live<State>[] =>
  pairs.filter((pair): pair is Live<State> => pair.after !== null)

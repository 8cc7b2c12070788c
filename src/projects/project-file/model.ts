import type { Path } from './problem'

/** The name of a section and the types of its objects. Other sections need only this to look up its objects. */
export interface SectionKey<State, Entry = unknown> {
  /** The name of the section in the file: `virtualCurrencies`. */
  readonly name: string
  /** The name for one of its objects in changes, problems and the audit log: `virtualCurrency`. */
  readonly kind: string
  /** Never set. It exists only for the type checker. */
  readonly types?: { state: State; entry: Entry }
}

/** `State`: an object as it is compared. `Entry`: an object as the file writes it, if that is another type. */
export const sectionKey = <State, Entry = State>(name: string, kind: string): SectionKey<State, Entry> => ({
  name,
  kind,
})

/** A saved object. `name` is its name after the renames of the file, `formerName` its saved name. */
export interface Saved<State> {
  id: string
  name: string
  formerName: string
  state: State
}

/** An object as the file describes it, under its identifier. */
export interface Wanted<Entry> {
  name: string
  /** Its saved identifier, if the file renames it. */
  was: string | null
  path: Path
  state: Entry
}

/** An object before and after a file is applied; `before` null = new, `after` null = deleted. */
export interface Pair<State> {
  /** Null while the object is new. */
  id: string | null
  name: string
  formerName: string | null
  before: State | null
  after: State | null
  /** Its place in the file; null = it is not in the file. */
  path: Path | null
  isPruned: boolean
}

/** An object that exists after the file is applied. */
export type Live<State> = Pair<State> & { after: State }

/** An object with an id. A new object has its id too. */
export type Identified<State> = Pair<State> & { id: string }

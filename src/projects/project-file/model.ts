import type { Path } from './problem'

/** What a section is called, with the types of what it holds: enough to ask for its objects, and nothing else of it. */
export interface SectionKey<State, Entry = unknown> {
  /** As it stands in the file: `virtualCurrencies`. */
  readonly name: string
  /** What one of its objects is called in changes, problems and the audit log: `virtualCurrency`. */
  readonly kind: string
  /** Never set; it only carries the types. */
  readonly types?: { state: State; entry: Entry }
}

/** `State`: an object as it is compared; `Entry`: an object as the file writes it, where that is something else. */
export const sectionKey = <State, Entry = State>(name: string, kind: string): SectionKey<State, Entry> => ({
  name,
  kind,
})

/** A saved object: `name` is what it will be called (renames applied), `formerName` what it is called now. */
export interface Saved<State> {
  id: string
  name: string
  formerName: string
  state: State
}

/** An object as the file wants it, under its identifier. */
export interface Wanted<Entry> {
  name: string
  /** Its identifier until now, when the file renames it. */
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
  /** Where the file names it; null = the file does not. */
  path: Path | null
  isPruned: boolean
}

/** An object that will be there. */
export type Live<State> = Pair<State> & { after: State }

/** An object that has its id, also when it is new. */
export type Identified<State> = Pair<State> & { id: string }

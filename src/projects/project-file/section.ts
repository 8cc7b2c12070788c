import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { IdPrefix } from '../../base/lib/ids'
import type { ProjectRow } from '../project/service'
import type { Identified, Live, Pair, Saved, SectionKey, Wanted } from './model'
import type { Path, Problem } from './problem'
import type { Spot } from './reader'
import type { KeptSecret, Sources } from './secret'

/**
 * One section of the project file: everything that is known of its objects, from their place in the file to their
 * rows. The engine asks each section in turn and knows none by name; what a section must know of another, it asks by
 * that section's key.
 *
 * `Entry`: an object as the file writes it. `Rows`: what is loaded. `State`: an object as it is compared, with other
 * objects by their names. `Changes`: what is written.
 */
export interface Section<Entry, Rows, State extends object, Changes> {
  readonly key: SectionKey<State, Entry>
  /** The name of the section right above this one in the file, where the list has another order. */
  readonly placedBelow?: string
  /** Planned and written after all others, wherever its slice stands in the list. */
  readonly comesLast?: boolean
  /** Prefix of the ids of new objects; without one the name of an object is its id. */
  readonly idPrefix?: IdPrefix
  /** The code that refuses a rename onto a name that is taken; `CONFLICT` by default. */
  readonly takenCode?: 'IDENTIFIER_TAKEN'
  /** Whether its rows hold JSON, which somebody may have broken by hand. */
  readonly holdsJson?: boolean

  /** Reads the section of a file; what is wrong is recorded at its spot. */
  parse(spot: Spot, sources: Sources): Wanted<Entry>[] | undefined
  /** Loads what is saved, and whatever else planning `wanted` (null = the file has no such section) must know. */
  load(from: Loading, wanted: readonly Wanted<Entry>[] | null): Promise<Rows>
  /** What its saved objects are called now, by id: what a rename starts from, and how others call them. */
  names(rows: Rows): ReadonlyMap<string, string>
  /** The saved objects in the words of the file, under the given names. */
  current(rows: Rows, names: Names): Saved<State>[]
  /** Every object before and after the file. */
  plan(given: Planning<Entry, Rows, State>): Pair<State>[]
  /** Secrets that stay as they are, because their placeholders could not be read. */
  keptSecrets?(wanted: readonly Wanted<Entry>[], rows: Rows): KeptSecret[]
  /** The names of other objects that an object holds. */
  uses?(state: State): Use[]
  /** Whether a file may name the object; by default every one that will be there. */
  isNameable?(pair: Live<State>): boolean
  /** What is wrong with the planned objects; names of nothing are found by the engine. */
  check?(given: Checking<Entry, Rows, State>): Problem[]
  /** The members that say what an object is called: `{ identifier }`. */
  named(name: string): Record<string, unknown>
  /** An object as it is shown and kept in the audit log, without its name; by default the state itself. */
  view?(state: State): Record<string, unknown>
  /** What a checked plan writes. */
  rows(given: Writing<Rows, State>): Changes
  write(tx: Tx, projectId: string, changes: Changes): Promise<void>
  /** The content of the section in an exported file; undefined leaves it out. */
  content(saved: readonly Saved<State>[], rows: Rows): unknown
  /** Where ids are written as comments in an exported file; by default at the names of the objects. */
  places?(rows: Rows): [place: Path, id: string][]
}

/** A section of whatever types. Its members are methods, so that each section is one of these. */
export type AnySection = Section<unknown, unknown, object, unknown>

/** All sections, in the order in which objects are planned and written: what is named comes before what names it. */
export type Sections = readonly AnySection[]

export interface Loading {
  handle: Handle
  vault: Context['vault']
  project: ProjectRow
  prune: boolean
  /** The same read for all sections that ask for it. */
  once<Found>(read: (handle: Handle, projectId: string) => Promise<Found>): Promise<Found>
}

/** What the saved objects of a section will be called, by id; renames are applied. */
export interface Names {
  of(key: SectionKey<unknown>): ReadonlyMap<string, string>
}

/** The planned objects of a section; none of one that is not in the list. */
export interface Planned {
  of<State>(key: SectionKey<State>): readonly Pair<State>[]
}

/** The ids of the objects that will be there, by name. */
export interface IdsByName {
  of(key: SectionKey<unknown>): ReadonlyMap<string, string>
}

export interface Planning<Entry, Rows, State> {
  /** Null when the file has no such section: then only new names of others change anything. */
  wanted: readonly Wanted<Entry>[] | null
  saved: readonly Saved<State>[]
  rows: Rows
  prune: boolean
  /** Of the sections before this one in the list. */
  planned: Planned
}

/** Names of objects of one other section. */
export interface Use {
  of: SectionKey<unknown>
  names: readonly string[]
}

/** An object that the file leaves alone, and which names of one section it holds. */
export interface User {
  kind: string
  id: string
  name: string
  names: readonly string[]
}

export interface Checking<Entry, Rows, State> {
  wanted: readonly Wanted<Entry>[] | null
  rows: Rows
  pairs: readonly Pair<State>[]
  /** Of all sections. */
  planned: Planned
  /** The objects that name one of this section and that the file leaves alone, in the order of the file's sections. */
  users: readonly User[]
  /** Whether the object at a place was read without a problem. In one that was not, made-up values replace what failed. */
  isWhole(path: Path): boolean
  now: number
}

export interface Writing<Rows, State> {
  pairs: readonly Identified<State>[]
  rows: Rows
  ids: IdsByName
  now: number
}

import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { IdPrefix } from '../../base/lib/ids'
import type { ProjectRow } from '../project/service'
import type { Identified, Live, Pair, Saved, SectionKey, Wanted } from './model'
import type { Path, Problem } from './problem'
import type { Spot } from './reader'
import type { KeptSecret, MadeSecret } from './secret'

/**
 * One section of the project file: how its objects are read, loaded, compared, checked and written. The engine calls
 * the methods of every section and names no section itself. A section looks up objects of another section by the key
 * of that section.
 *
 * `Entry`: an object as the file writes it. `Rows`: what is loaded. `State`: an object as it is compared; it refers to
 * other objects by name. `Changes`: what is written.
 */
export interface Section<Entry, Rows, State extends object, Changes> {
  readonly key: SectionKey<State, Entry>
  /** The name of the section directly above this one in the file, if that differs from the order of the list. */
  readonly placedBelow?: string
  /** Planned and written after all other sections, whatever the position of its slice in the list. */
  readonly comesLast?: boolean
  /** Prefix of the ids of new objects. Without a prefix, the name of an object is its id. */
  readonly idPrefix?: IdPrefix
  /** The code that refuses a rename to a name that is taken; `CONFLICT` by default. */
  readonly takenCode?: 'IDENTIFIER_TAKEN'
  /** The section is itself one object, not objects under their names. */
  readonly isOneObject?: true
  /** Whether its rows contain JSON, which may be invalid after a manual change in the database. */
  readonly holdsJson?: boolean

  /** Whether the value at this path of the file may have 64 bits. Its reader must be `int64`. */
  isInt64?(path: Path): boolean

  /** Reads the section of a file. Problems are recorded at the spot of the wrong value. */
  parse(spot: Spot): Wanted<Entry>[] | undefined
  /** The problems that only the network shows. It is called before the transaction. */
  inspect?(ctx: Context, projectId: string, wanted: readonly Wanted<Entry>[]): Promise<Problem[]>
  /** Loads the saved rows, and everything else that planning `wanted` needs; null = the file lacks the section. */
  load(from: Loading, wanted: readonly Wanted<Entry>[] | null): Promise<Rows>
  /** The saved names of its objects, by id. Renames start from them, and other sections use them in references. */
  names(rows: Rows): ReadonlyMap<string, string>
  /** The saved objects in the form in which they are compared, with the given names. */
  current(rows: Rows, names: Names): Saved<State>[]
  /** All objects before and after the file is applied. */
  plan(given: Planning<Entry, Rows, State>): Pair<State>[]
  /** The secrets that are kept because their placeholders could not be read. */
  keptSecrets?(wanted: readonly Wanted<Entry>[], rows: Rows): KeptSecret[]
  /** The names of other objects that an object contains. */
  uses?(state: State): Use[]
  /** What in an object is probably meant differently than it works. It can be applied. `planned` are all other objects. */
  warnings?(pair: Live<State>, planned: Planned): ObjectWarning[]
  /** Whether references may name the object; by default, all objects that exist after the file is applied. */
  isNameable?(pair: Live<State>): boolean
  /** The problems with the planned objects. The engine itself finds names of unknown objects. */
  check?(given: Checking<Entry, Rows, State>): Problem[]
  /** The members that contain the name of an object: `{ identifier }`. */
  named(name: string): Record<string, unknown>
  /** An object in the form of the diff and the audit log, without its name; by default the state itself. */
  view?(state: State): Record<string, unknown>
  /** The rows that a plan writes. The plan was checked before. */
  rows(given: Writing<Rows, State>): Changes
  write(tx: Tx, projectId: string, changes: Changes): Promise<void>
  /** The secrets that are new in what was written. The person who applied the file sees them once. */
  madeSecrets?(changes: Changes): MadeSecret[]
  /** The content of the section in an exported file; undefined = the section is left out. */
  content(saved: readonly Saved<State>[], rows: Rows): unknown
  /**
   * The members of the exported content of an object that applying the file does not change, because the file does not
   * name them; by default, none. `wanted` are all objects of the section in the file.
   */
  leaves?(one: Wanted<Entry>, wanted: readonly Wanted<Entry>[], prune: boolean): Path[]
  /** The places at which an exported file has ids as comments; by default, the names of the objects. */
  places?(rows: Rows): [place: Path, id: string][]
}

/** A section of any types. Its members are methods, so that every section can be assigned to this type. */
export type AnySection = Section<unknown, unknown, object, unknown>

/** All sections in the order of planning and writing: a section comes before the sections that refer to it. */
export type Sections = readonly AnySection[]

export interface Loading {
  handle: Handle & Pick<Context, 'hooks' | 'config' | 'state'>
  vault: Context['vault']
  project: ProjectRow
  prune: boolean
  /** Runs a read once and gives its result to all sections that need it. */
  once<Found>(read: (handle: Handle, projectId: string) => Promise<Found>): Promise<Found>
}

/** The names of the saved objects of a section after the renames of the file, by id. */
export interface Names {
  of(key: SectionKey<unknown>): ReadonlyMap<string, string>
}

/** The planned objects of a section; empty for a section that is not in the list. */
export interface Planned {
  of<State>(key: SectionKey<State>): readonly Pair<State>[]
}

/** The ids of the objects that exist after the file is applied, by name. */
export interface IdsByName {
  of(key: SectionKey<unknown>): ReadonlyMap<string, string>
}

export interface Planning<Entry, Rows, State> {
  /** Null if the file does not have the section. Then only new names of other objects can change its objects. */
  wanted: readonly Wanted<Entry>[] | null
  saved: readonly Saved<State>[]
  rows: Rows
  prune: boolean
  /** The planned objects of the sections before this one in the list. */
  planned: Planned
}

/** Something in an object that is probably meant differently than it works. */
export interface ObjectWarning {
  /** The place in the object. */
  path: string
  /** A sentence that starts with the path. */
  message: string
}

/** The names of objects in one other section. */
export interface Use {
  of: SectionKey<unknown>
  names: readonly string[]
}

/** An object that is not in the file and keeps its state, and the names of one section that it contains. */
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
  /** The planned objects of all sections. */
  planned: Planned
  /** The objects that are not in the file and refer to objects of this section, in the order of the file's sections. */
  users: readonly User[]
  /** Whether the object at a path was read without problems. If not, replacement values are in place of wrong ones. */
  isWhole(path: Path): boolean
  now: number
}

export interface Writing<Rows, State> {
  pairs: readonly Identified<State>[]
  rows: Rows
  ids: IdsByName
  now: number
}

/** The saved state of everything in a project that a project file can contain. */
export interface Current {
  sections: Sections
  project: ProjectRow
  /** What the `load` of each section returned, by the name of the section. */
  rows: ReadonlyMap<string, unknown>
}

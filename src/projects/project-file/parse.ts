import type { SectionKey, Wanted } from './model'
import { fillPlaceholders, withUnset } from './placeholders'
import type { LocatedProblem, Path, Problem } from './problem'
import { Members, type Read, type Reference, type Sources, Spot } from './reader'
import type { AnySection, Sections } from './section'
import { inFileOrder } from './sections'
import { type BuiltTree, located, type Node, readTree } from './tree'

/** A file that was read: its wanted objects, the problems so far, and the tree with the positions. */
export interface ParsedFile {
  /** The sections with which it was read. */
  sections: Sections
  /** The wanted objects by section. A section that is not in the file does not change. */
  wanted: WantedSections
  references: Reference[]
  problems: Problem[]
  root: Node
}

export type WantedSections = ReadonlyMap<string, readonly Wanted<unknown>[]>

/** Reads a project file (wire section 8). If the text is not valid YAML, the result contains only problems. `built` is the text when it was already read. */
export function parseProjectFile(
  sections: Sections,
  content: string,
  sources: Sources,
  built?: BuiltTree,
): ParsedFile | { unreadable: LocatedProblem[] } {
  const isInt64 = (path: Path) => sections.some((section) => section.isInt64?.(path))
  const tree = readTree(content, isInt64, built)
  if ('problems' in tree) return { unreadable: tree.problems }
  const unset = fillPlaceholders(tree.root, sources.env, isInt64)
  const references: Reference[] = []
  const problems: Problem[] = []
  const wanted = readFile(sections, new Spot(tree.root, [], { problems, references, sources }))
  return { sections, wanted, references, problems: withUnset(problems, unset), root: tree.root }
}

/** Adds the line to each problem of reading and planning a file, and sorts them by line. */
export const locateProblems = ({ root }: Pick<ParsedFile, 'root'>, problems: readonly Problem[]): LocatedProblem[] =>
  located(root, problems)

/** The objects that a file describes in a section; null if it does not have the section. */
export const wantedOf = <Entry>(
  { wanted }: Pick<ParsedFile, 'wanted'>,
  { name }: SectionKey<unknown, Entry>,
): readonly Wanted<Entry>[] | null => (wanted.get(name) ?? null) as readonly Wanted<Entry>[] | null // The section itself read them.

function readFile(sections: Sections, spot: Spot): WantedSections {
  if (spot.node.kind !== 'map') spot.fail('A project file is a mapping that begins with version: 1')
  const members = new Members(spot)
  if (spot.node.kind === 'map') members.required('version', version, 1)
  const wanted = new Map<string, readonly Wanted<unknown>[]>()
  for (const section of inFileOrder(sections)) {
    const found = readSection(members, section)
    if (found) wanted.set(section.key.name, found)
  }
  members.close()
  return wanted
}

const version: Read<1> = (spot) =>
  spot.node.kind === 'scalar' && spot.node.value === 1 ? 1 : spot.fail('This svc reads files of version: 1')

/** Reads a section, if the file has it. An empty section is refused: with --prune it would delete all its objects. */
function readSection(members: Members, { key, parse }: AnySection): Wanted<unknown>[] | undefined {
  const spot = members.take(key.name)
  if (spot === null) return undefined
  if (!spot.isNull) return parse(spot)
  return spot.fail(`${key.name} is empty; write {} to say that there is nothing, or leave it out`)
}

import type { YamlText } from './document'
import type { SectionKey, Wanted } from './model'
import { inFileOrder } from './order'
import { fillPlaceholders, withUnset } from './placeholders'
import type { LocatedProblem, Path, Problem } from './problem'
import { type Findings, Members, type Read, type Reference, Spot } from './reader'
import type { Sources } from './secret'
import type { AnySection, Sections } from './section'
import { located, type Node, readTree } from './tree'

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

/** Reads a project file (wire section 8). If the text is not valid YAML, the result contains only problems. `read` is the text when it was already read. */
export function parseProjectFile(
  sections: Sections,
  content: string,
  sources: Sources,
  read?: YamlText,
): ParsedFile | { unreadable: LocatedProblem[] } {
  const isInt64 = (path: Path) => sections.some((section) => section.isInt64?.(path))
  const tree = readTree(content, isInt64, read)
  if ('problems' in tree) return { unreadable: tree.problems }
  const unset = fillPlaceholders(tree.root, sources.env, isInt64)
  const findings: Findings = { problems: [], references: [] }
  const wanted = readFile(sections, new Spot(tree.root, [], findings), sources)
  return { sections, wanted, ...findings, problems: withUnset(findings.problems, unset), root: tree.root }
}

/** Adds the line to each problem of reading and planning a file, and sorts them by line. */
export const locateProblems = ({ root }: Pick<ParsedFile, 'root'>, problems: readonly Problem[]): LocatedProblem[] =>
  located(root, problems)

/** The objects that a file wants in a section; null if it does not have the section. */
export const wantedOf = <Entry>(
  { wanted }: Pick<ParsedFile, 'wanted'>,
  { name }: SectionKey<unknown, Entry>,
): readonly Wanted<Entry>[] | null => (wanted.get(name) ?? null) as readonly Wanted<Entry>[] | null // The section itself read them.

function readFile(sections: Sections, spot: Spot, sources: Sources): WantedSections {
  if (spot.node.kind !== 'map') spot.fail('A project file is a mapping that begins with version: 1')
  const members = new Members(spot)
  if (spot.node.kind === 'map') members.required('version', version, 1)
  const wanted = new Map<string, readonly Wanted<unknown>[]>()
  for (const section of inFileOrder(sections)) {
    const found = readSection(members, section, sources)
    if (found) wanted.set(section.key.name, found)
  }
  members.close()
  return wanted
}

const version: Read<1> = (spot) =>
  spot.node.kind === 'scalar' && spot.node.value === 1 ? 1 : spot.fail('This svc reads files of version: 1')

/** Reads a section, if the file has it. An empty section is refused: with --prune it would delete all its objects. */
function readSection(members: Members, { key, parse }: AnySection, sources: Sources): Wanted<unknown>[] | undefined {
  const spot = members.take(key.name)
  if (spot === null) return undefined
  if (!spot.isNull) return parse(spot, sources)
  return spot.fail(`${key.name} is empty; write {} to say that there is nothing, or leave it out`)
}

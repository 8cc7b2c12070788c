import type { SectionKey, Wanted } from './model'
import { inFileOrder } from './order'
import type { LocatedProblem, Problem } from './problem'
import { type Findings, Members, type Read, type Reference, Spot } from './reader'
import type { Sources } from './secret'
import type { AnySection, Sections } from './section'
import { located, type Node, readTree } from './tree'

/** A file that was read: what it wants, what is wrong with it so far, and where everything stands. */
export interface ParsedFile {
  /** What it was read with. */
  sections: Sections
  /** What it wants, by section; one that is absent is left alone. */
  wanted: WantedSections
  references: Reference[]
  problems: Problem[]
  root: Node
}

export type WantedSections = ReadonlyMap<string, readonly Wanted<unknown>[]>

/** Reads a project file (wire section 8); gives located problems alone when it is not even YAML. */
export function parseProjectFile(
  sections: Sections,
  content: string,
  sources: Sources,
): ParsedFile | { unreadable: LocatedProblem[] } {
  const tree = readTree(content)
  if ('problems' in tree) return { unreadable: tree.problems }
  const findings: Findings = { problems: [], references: [] }
  const wanted = readFile(sections, new Spot(tree.root, [], findings), sources)
  return { sections, wanted, ...findings, root: tree.root }
}

/** The problems of a file, those of its reading and of its plan together, in the order of its lines. */
export const tellProblems = ({ root }: Pick<ParsedFile, 'root'>, problems: readonly Problem[]): LocatedProblem[] =>
  located(root, problems)

/** What a file says in a section; null when it has none. */
export const wantedOf = <Entry>(
  { wanted }: Pick<ParsedFile, 'wanted'>,
  { name }: SectionKey<unknown, Entry>,
): readonly Wanted<Entry>[] | null => (wanted.get(name) ?? null) as readonly Wanted<Entry>[] | null // As its section read it.

/** Sections that files may have in a later version. */
const NOT_YET = ['webhookEndpoints']

function readFile(sections: Sections, spot: Spot, sources: Sources): WantedSections {
  if (spot.node.kind !== 'map') spot.fail('A project file is a mapping that begins with version: 1')
  const members = new Members(spot)
  if (spot.node.kind === 'map') members.required('version', version, 1)
  const wanted = new Map<string, readonly Wanted<unknown>[]>()
  for (const section of inFileOrder(sections)) {
    const found = readSection(members, section, sources)
    if (found) wanted.set(section.key.name, found)
  }
  for (const name of NOT_YET.filter((later) => sections.every(({ key }) => key.name !== later)))
    members.take(name)?.fail(`Unknown key "${name}": this version of svc does not have ${name} yet`)
  members.close()
  return wanted
}

const version: Read<1> = (spot) =>
  spot.node.kind === 'scalar' && spot.node.value === 1 ? 1 : spot.fail('This svc reads files of version: 1')

/** A section, or nothing when the file has none. An empty one is refused: with --prune it would delete everything. */
function readSection(members: Members, { key, parse }: AnySection, sources: Sources): Wanted<unknown>[] | undefined {
  const spot = members.take(key.name)
  if (spot === null) return undefined
  if (!spot.isNull) return parse(spot, sources)
  return spot.fail(`${key.name} is empty; write {} to say that there is nothing, or leave it out`)
}

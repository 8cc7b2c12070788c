import type { ProjectFile } from './model'
import { accessSection, currencySection, offeringSection, productSection } from './parse-catalog'
import { experimentSection } from './parse-experiments'
import { audienceSection, flagSection } from './parse-flags'
import { funnelSection } from './parse-funnels'
import { placementSection } from './parse-placements'
import { projectSection } from './parse-project'
import { storesSection } from './parse-stores'
import type { LocatedProblem, Problem } from './problem'
import { type Findings, Members, type Read, Spot } from './reader'
import type { Sources } from './secret'
import { located, type Node, readTree } from './tree'

/** A file that was read: what it wants, what is wrong with it so far, and where everything stands. */
export interface ParsedFile {
  file: ProjectFile
  problems: Problem[]
  root: Node
}

/** Reads a project file (wire section 8); gives located problems alone when it is not even YAML. */
export function parseProjectFile(content: string, sources: Sources): ParsedFile | { unreadable: LocatedProblem[] } {
  const tree = readTree(content)
  if ('problems' in tree) return { unreadable: tree.problems }
  const findings: Findings = { problems: [], references: [] }
  const file = readFile(new Spot(tree.root, [], findings), findings, sources)
  return { file, problems: findings.problems, root: tree.root }
}

/** The problems of a file, those of its reading and of its plan together, in the order of its lines. */
export const tellProblems = ({ root }: ParsedFile, problems: readonly Problem[]): LocatedProblem[] =>
  located(root, problems)

const NOT_YET = ['webhookEndpoints']

function readFile(spot: Spot, { references }: Findings, sources: Sources): ProjectFile {
  if (spot.node.kind !== 'map') spot.fail('A project file is a mapping that begins with version: 1')
  const members = new Members(spot)
  if (spot.node.kind === 'map') members.required('version', version, 1)
  const file = {
    project: section(members, 'project', projectSection),
    access: section(members, 'access', accessSection),
    virtualCurrencies: section(members, 'virtualCurrencies', currencySection),
    products: section(members, 'products', productSection),
    offerings: section(members, 'offerings', offeringSection),
    audiences: section(members, 'audiences', audienceSection),
    flags: section(members, 'flags', flagSection),
    experiments: section(members, 'experiments', experimentSection),
    funnels: section(members, 'funnels', funnelSection(sources)),
    placements: section(members, 'placements', placementSection),
    stores: section(members, 'stores', storesSection(sources)),
    references,
  }
  for (const name of NOT_YET)
    members.take(name)?.fail(`Unknown key "${name}": this version of svc does not have ${name} yet`)
  members.close()
  return file
}

const version: Read<1> = (spot) =>
  spot.node.kind === 'scalar' && spot.node.value === 1 ? 1 : spot.fail('This svc reads files of version: 1')

/** A section, or null when the file has none. An empty one is refused: with --prune it would delete everything. */
function section<Value>(members: Members, name: string, read: Read<Value>): Value | null {
  const spot = members.take(name)
  if (spot === null) return null
  if (!spot.isNull) return read(spot) ?? null
  spot.fail(`${name} is empty; write {} to say that there is nothing, or leave it out`)
  return null
}

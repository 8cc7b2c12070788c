import type { Current } from './current'
import type { Pair, SectionKey } from './model'
import { inFileOrder } from './order'
import type { ParsedFile } from './parse'
import type { Path, Problem } from './problem'
import { unknownReferences } from './references'
import { applyRenames } from './rename'
import type { KeptSecret } from './secret'
import type { AnySection, Planned, Sections } from './section'
import { usersBySection } from './users'

/** What applying a file to a project would do. A plan with problems must not be written. */
export interface Plan {
  sections: Sections
  /** The objects before and after, by section. */
  pairs: PlannedPairs
  keptSecrets: KeptSecret[]
  /** The problems of reading the file are included. */
  problems: Problem[]
  /** The configuration version of the project for which the plan was made. */
  configVersion: number
}

export type PlannedPairs = ReadonlyMap<string, readonly Pair<object>[]>

export interface PlanOptions {
  prune: boolean
  now: number
}

/** Finds planned objects by the key of their section. */
export const plannedIn = (pairs: PlannedPairs): Planned => ({
  of: <State>({ name }: SectionKey<State>) => (pairs.get(name) ?? []) as unknown as readonly Pair<State>[], // The section itself planned them.
})

/** As `plannedIn`, during planning: a section can use only the sections before it in the list. */
const plannedBefore = (pairs: PlannedPairs, sections: Sections): Planned => ({
  of: (key) => {
    const isLater = !pairs.has(key.name) && sections.some((section) => section.key.name === key.name)
    if (isLater) throw new Error(`the section ${key.name} is planned after the one that asks for it`)
    return plannedIn(pairs).of(key)
  },
})

type File = Pick<ParsedFile, 'wanted' | 'references' | 'problems'>

/** Compares a file with the saved state. Pure: equal arguments give equal plans. */
export function planProjectFile(file: File, current: Current, { prune, now }: PlanOptions): Plan {
  const { sections, rows, project } = current
  const ordered = inFileOrder(sections)
  const { names, problems } = applyRenames(ordered, file.wanted, rows)
  const pairs = new Map<string, Pair<object>[]>()
  const before = plannedBefore(pairs, sections)
  for (const section of sections) {
    const { name } = section.key
    const own = { wanted: file.wanted.get(name) ?? null, rows: rows.get(name) }
    pairs.set(name, section.plan({ ...own, saved: section.current(own.rows, names), prune, planned: before }))
  }
  const planned = plannedIn(pairs)
  const unknown = unknownReferences(file.references, sections, planned)
  const faults = checkSections(ordered, file, rows, planned, now)
  return {
    sections,
    pairs,
    keptSecrets: ordered.flatMap((section) => keptSecrets(section, file, rows)),
    problems: [...file.problems, ...problems, ...unknown, ...faults],
    configVersion: project.configVersion,
  }
}

function checkSections(
  ordered: readonly AnySection[],
  file: File,
  rows: ReadonlyMap<string, unknown>,
  planned: Planned,
  now: number,
): Problem[] {
  const users = usersBySection(ordered, planned)
  const withProblems = new Set(file.problems.map(({ path }) => objectAt(path)))
  const isWhole = (path: Path) => !withProblems.has(objectAt(path))
  return ordered.flatMap((section) => {
    const { key } = section
    const own = { wanted: file.wanted.get(key.name) ?? null, rows: rows.get(key.name), pairs: planned.of(key) }
    return section.check?.({ ...own, planned, users: users.get(key.name) ?? [], isWhole, now }) ?? []
  })
}

const objectAt = (path: Path): string => JSON.stringify(path.slice(0, 2))

function keptSecrets(section: AnySection, { wanted }: File, rows: ReadonlyMap<string, unknown>): KeptSecret[] {
  const found = wanted.get(section.key.name)
  return (found && section.keptSecrets?.(found, rows.get(section.key.name))) ?? []
}

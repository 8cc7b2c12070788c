import type { Pair, SectionKey } from './model'
import { leftAlone, live } from './pair'
import type { ParsedFile } from './parse'
import { type Path, type Problem, problem } from './problem'
import type { Reference } from './reader'
import { applyRenames } from './rename'
import type { KeptSecret } from './secret'
import type { AnySection, Current, ObjectWarning, Planned, Sections, User } from './section'
import { inFileOrder } from './sections'

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

/** A problem for each place that names an unknown object. Its details list all unknown names of that kind. */
function unknownReferences(
  references: readonly Reference[],
  sections: readonly AnySection[],
  planned: Planned,
): Problem[] {
  const known = new Map(sections.map((section) => [section.key.kind, nameable(section, planned)]))
  const unknown = references.filter(({ kind, name }) => !known.get(kind)?.has(name))
  const groups = Map.groupBy(unknown, groupOf)
  return unknown.map((reference) => {
    const { kind, name, path, refusal } = reference
    const names = [...new Set(groups.get(groupOf(reference))?.map((other) => other.name))].sort()
    return problem(path, `There is no ${kind} called ${name}`, refusal.code, refusal.details(kind, names))
  })
}

const nameable = ({ key, isNameable = () => true }: AnySection, planned: Planned): Set<string> =>
  new Set(
    live(planned.of(key))
      .filter((pair) => isNameable(pair))
      .map(({ name }) => name),
  )

const groupOf = ({ kind, refusal }: Reference): string => `${kind} ${refusal.code}`

/** The objects that are not in the file and refer to other objects, by the section to which they refer. */
function usersBySection(sections: readonly AnySection[], planned: Planned): ReadonlyMap<string, User[]> {
  const uses = sections.flatMap((section) => {
    const { key } = section
    return leftAlone(planned.of(key)).flatMap(({ id, name, after }) =>
      (section.uses?.(after) ?? []).map(({ of, names }) => ({
        section: of.name,
        user: { kind: key.kind, id: id ?? '', name, names },
      })),
    )
  })
  const groups = Map.groupBy(uses, ({ section }) => section)
  return new Map([...groups].map(([section, found]) => [section, found.map(({ user }) => user)]))
}

/** A warning about an object of the file. */
export interface FileWarning extends ObjectWarning {
  kind: string
  /** The name of the object. */
  ref: string
}

/** The warnings about all objects of the file, whether they change or not, in the order of the sections. */
export const warningsOf = ({ sections, pairs }: Pick<Plan, 'sections' | 'pairs'>): FileWarning[] =>
  sections.flatMap((section) => {
    const planned = plannedIn(pairs)
    return live(planned.of(section.key))
      .filter(({ path }) => path !== null)
      .flatMap((pair) => (section.warnings?.(pair, planned) ?? []).map((one) => ({ ref: pair.name, ...one })))
      .map(({ ref, path, message }) => ({ kind: section.key.kind, ref, path, message }))
  })

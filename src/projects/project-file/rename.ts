import type { SectionKey, Wanted } from './model'
import { type Problem, problem } from './problem'
import type { AnySection, Names } from './section'

interface Renaming {
  names: Names
  problems: Problem[]
}

/** The names of all saved objects after the renames of the file, and the renames that are refused. */
export function applyRenames(
  sections: readonly AnySection[],
  wanted: ReadonlyMap<string, readonly Wanted<unknown>[]>,
  rows: ReadonlyMap<string, unknown>,
): Renaming {
  const problems: Problem[] = []
  const renamed = sections.map((section): [string, ReadonlyMap<string, string>] => {
    const { name } = section.key
    return [name, renameSection(section, section.names(rows.get(name)), wanted.get(name) ?? [], problems)]
  })
  return { names: namesIn(new Map(renamed)), problems }
}

/** The saved names of all objects, without renames. */
export const savedNames = (sections: readonly AnySection[], rows: ReadonlyMap<string, unknown>): Names =>
  namesIn(new Map(sections.map((section) => [section.key.name, section.names(rows.get(section.key.name))])))

const namesIn = (names: ReadonlyMap<string, ReadonlyMap<string, string>>): Names => ({
  of: ({ name }: SectionKey<unknown>) => names.get(name) ?? new Map(),
})

/**
 * `b: {was: a}` gives the row of `a` the name `b`, if no row has the name `b`, or if the row of that name gets another
 * name itself (a chain). If rows of both names exist and the file also has an object `a`, the rename was done before
 * and has no effect, so that a file can be applied twice. Otherwise the name is taken: `IDENTIFIER_TAKEN` with the
 * resource if the section has that code, `CONFLICT` if not.
 */
function renameSection(
  { key, takenCode }: AnySection,
  saved: ReadonlyMap<string, string>,
  wanted: readonly Wanted<unknown>[],
  problems: Problem[],
): Map<string, string> {
  const idOf = new Map([...saved].map(([id, name]) => [name, id]))
  const inFile = new Set(wanted.map(({ name }) => name))
  const names = new Map(saved)
  const left = new Set<string>()
  for (const { name, was, path } of chainEndsFirst(wanted, idOf)) {
    const id = idOf.get(was)
    if (id === undefined) continue
    if (!idOf.has(name) || left.has(name)) {
      names.set(id, name)
      left.add(was)
    } else if (!inFile.has(was)) {
      const message = `${was} cannot become ${name}: that is there already`
      const details = { resource: key.kind, identifier: name }
      const at = [...path, 'was']
      problems.push(takenCode ? problem(at, message, takenCode, details) : problem(at, message, 'CONFLICT'))
    }
  }
  return names
}

type Renamed = Wanted<unknown> & { was: string }

/** Orders renames: first a rename to a free name, then the rename to the name that it has freed, and so on. */
function chainEndsFirst(wanted: readonly Wanted<unknown>[], idOf: ReadonlyMap<string, string>): Iterable<Renamed> {
  const renamed = wanted.filter((object): object is Renamed => object.was !== null)
  const byName = new Map(renamed.map((object) => [object.name, object]))
  const ordered = new Set<Renamed>()
  for (const end of renamed.filter(({ name }) => !idOf.has(name)))
    for (let link: Renamed | undefined = end; link && !ordered.has(link); link = byName.get(link.was)) ordered.add(link)
  for (const object of renamed) ordered.add(object)
  return ordered
}

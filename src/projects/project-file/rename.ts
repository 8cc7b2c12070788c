import type { CatalogRows } from '../../catalog/snapshot'
import { type Names, namesOf } from './current'
import type { ProjectFile, Wanted } from './model'
import { type Problem, problem } from './problem'

/** Objects whose identifier is taken are told with these words (`IDENTIFIER_TAKEN`). */
export type Resource = 'access' | 'virtualCurrency' | 'product' | 'offering'

/** What every object of the project will be called, and the renames that cannot be. */
export function applyRenames(file: ProjectFile, rows: CatalogRows): { names: Names; problems: Problem[] } {
  const names = namesOf(rows)
  const problems: Problem[] = []
  const renamed = (resource: Resource, saved: ReadonlyMap<string, string>, wanted: readonly Wanted<unknown>[] | null) =>
    renameSection(resource, saved, wanted ?? [], problems)
  return {
    names: {
      access: renamed('access', names.access, file.access),
      products: renamed('product', names.products, file.products),
      currencies: renamed('virtualCurrency', names.currencies, file.virtualCurrencies),
      offerings: renamed('offering', names.offerings, file.offerings),
    },
    problems,
  }
}

/**
 * `b: {was: a}` takes the row of `a` while no row is called `b`, or while the row called `b` goes to another name in
 * the same file (a chain). Once `b` is there, `was` has been done and says nothing more, so that a file can be
 * applied again; two that are there at once and of which the file names only one cannot become one.
 */
function renameSection(
  resource: Resource,
  saved: ReadonlyMap<string, string>,
  wanted: readonly Wanted<unknown>[],
  problems: Problem[],
): Map<string, string> {
  const idOf = new Map([...saved].map(([id, name]) => [name, id]))
  const inFile = new Set(wanted.map(({ name }) => name))
  const names = new Map(saved)
  const moved = new Set<string>()
  for (const { name, was, path } of chainEndsFirst(wanted, idOf)) {
    const isFree = !idOf.has(name) || moved.has(name)
    const id = idOf.get(was)
    if (id === undefined) continue
    if (isFree && !moved.has(was)) {
      names.set(id, name)
      moved.add(was)
    } else if (!inFile.has(was) || moved.has(was)) {
      problems.push(taken(resource, name, was, path))
    }
  }
  return names
}

type Renamed = Wanted<unknown> & { was: string }

/** Renames onto a free name first, then those onto the name that such a one leaves, and so on; the rest last. */
function chainEndsFirst(wanted: readonly Wanted<unknown>[], idOf: ReadonlyMap<string, string>): Renamed[] {
  const waiting = wanted.filter((object): object is Renamed => object.was !== null)
  const byName = new Map(waiting.map((object) => [object.name, object]))
  const leaver = new Map(waiting.map((object) => [object.was, object]))
  const ordered: Renamed[] = []
  for (const end of waiting.filter(({ name }) => !idOf.has(name)))
    for (let link: Renamed | undefined = end; link; link = byName.get(link.was)) {
      if (ordered.includes(link)) break
      ordered.push(link)
    }
  void leaver
  return [...ordered, ...waiting.filter((object) => !ordered.includes(object))]
}

const taken = (resource: Resource, name: string, was: string, path: Wanted<unknown>['path']): Problem =>
  problem([...path, 'was'], `${was} cannot become ${name}: that is there already`, 'IDENTIFIER_TAKEN', { resource, identifier: name })

import type { CatalogRows } from '../../projects/catalog/snapshot'
import { type Names, namesOf } from './current'
import { type TargetingNames, type TargetingRows, targetingNamesOf } from './current-targeting'
import type { ProjectFile, Wanted } from './model'
import { type Problem, problem } from './problem'

/** What `IDENTIFIER_TAKEN` calls the kinds of objects. */
export type Resource = 'access' | 'virtualCurrency' | 'product' | 'offering' | 'placement'

/** What every saved object will be called, and the renames that cannot be. */
export function applyRenames(file: ProjectFile, rows: CatalogRows): { names: Names; problems: Problem[] } {
  const saved = namesOf(rows)
  const problems: Problem[] = []
  const names = {
    access: renameSection('access', saved.access, file.access ?? [], problems),
    currencies: renameSection('virtualCurrency', saved.currencies, file.virtualCurrencies ?? [], problems),
    products: renameSection('product', saved.products, file.products ?? [], problems),
    offerings: renameSection('offering', saved.offerings, file.offerings ?? [], problems),
  }
  return { names, problems }
}

/** The same for audiences, flags, experiments, funnels and placements. */
export function renameTargeting(
  file: ProjectFile,
  rows: TargetingRows,
): { names: TargetingNames; problems: Problem[] } {
  const saved = targetingNamesOf(rows)
  const problems: Problem[] = []
  const names = {
    audiences: renameSection(null, saved.audiences, file.audiences ?? [], problems),
    flags: renameSection(null, saved.flags, file.flags ?? [], problems),
    experiments: renameSection(null, saved.experiments, file.experiments ?? [], problems),
    funnels: renameSection(null, saved.funnels, file.funnels ?? [], problems),
    placements: renameSection('placement', saved.placements, file.placements ?? [], problems),
  }
  return { names, problems }
}

/**
 * `b: {was: a}` gives the row of `a` the name `b`, when no row is called so or that row itself goes on to another
 * name (a chain). When both are there and the file still has an `a` of its own, the rename has been done before and
 * says nothing more, so that a file can be applied again; otherwise the name is taken: `IDENTIFIER_TAKEN` with the
 * resource, `CONFLICT` without.
 */
function renameSection(
  resource: Resource | null,
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
      const at = [...path, 'was']
      const taken =
        resource === null
          ? problem(at, message, 'CONFLICT')
          : problem(at, message, 'IDENTIFIER_TAKEN', { resource, identifier: name })
      problems.push(taken)
    }
  }
  return names
}

type Renamed = Wanted<unknown> & { was: string }

/** Renames onto a free name first, each followed by the one onto the name that it leaves. */
function chainEndsFirst(wanted: readonly Wanted<unknown>[], idOf: ReadonlyMap<string, string>): Iterable<Renamed> {
  const renamed = wanted.filter((object): object is Renamed => object.was !== null)
  const byName = new Map(renamed.map((object) => [object.name, object]))
  const ordered = new Set<Renamed>()
  for (const end of renamed.filter(({ name }) => !idOf.has(name)))
    for (let link: Renamed | undefined = end; link && !ordered.has(link); link = byName.get(link.was)) ordered.add(link)
  for (const object of renamed) ordered.add(object)
  return ordered
}

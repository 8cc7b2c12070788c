import { checkCatalog } from './check-catalog'
import { checkExperiments } from './check-experiments'
import { unknownReferences } from './check-references'
import { checkShown } from './check-shown'
import { checkTargeting } from './check-targeting'
import { type Current, projectFields } from './current'
import type { ProjectFields, ProjectFile, WantedProject } from './model'
import type { Pair } from './pair'
import { type CatalogPlan, planCatalog } from './plan-catalog'
import { type KeptSecret, planStores, type StorePair } from './plan-stores'
import { planTargeting, type TargetingPlan } from './plan-targeting'
import { type Path, type Problem, problem } from './problem'
import { renameTargeting } from './rename'

/** What applying a file to a project comes to. With problems, nothing is to be written. */
export interface Plan {
  project: Pair<ProjectFields>
  catalog: CatalogPlan
  targeting: TargetingPlan
  stores: StorePair[]
  keptSecrets: KeptSecret[]
  problems: Problem[]
  /** Of the project that was planned for. */
  configVersion: number
}

export interface PlanFacts {
  prune: boolean
  /** Of the products that the file lacks, those that somebody bought. */
  soldProductIds: ReadonlySet<string>
  /** Whether another project has the slug that the file wants. */
  isSlugTaken: boolean
  /** Whether secrets can be encrypted. */
  hasVault: boolean
  now: number
}

/** Compares a file with the saved state. Pure: the same two give the same plan. */
export function planProjectFile(file: ProjectFile, current: Current, facts: PlanFacts): Plan {
  const { plan: catalog, problems } = planCatalog(file, current.catalog, facts)
  const renamed = renameTargeting(file, current.targeting)
  const targeting = planTargeting(file, current.targeting, renamed.names, catalog, facts.prune)
  const stores = planStores(file.stores, current.stores, facts)
  const project = planProject(file.project, current)
  const refusals = [
    ...checkProject(file.project, current, facts),
    ...problems,
    ...unknownReferences(file.references, catalog, targeting),
    ...checkCatalog(catalog),
    ...renamed.problems,
    ...checkTargeting(targeting, current.targeting, catalog),
    ...checkExperiments(targeting, current.targeting, catalog, facts.now),
    ...checkShown(targeting, current.targeting, catalog, stores.pairs),
    ...stores.problems,
  ]
  return {
    project,
    catalog,
    targeting,
    stores: stores.pairs,
    keptSecrets: stores.keptSecrets,
    problems: refusals,
    configVersion: current.project.configVersion,
  }
}

/**
 * The problems of a file's reading and of its plan. Where an object could not be read, something stands in for what
 * failed; that its type or its members then differ from what is saved is no problem of its own.
 */
export function joinProblems(read: readonly Problem[], planned: readonly Problem[]): Problem[] {
  const half = new Set(read.map(({ path }) => objectOf(path)))
  const isGuess = ({ path, code }: Problem) =>
    half.has(objectOf(path)) && (code === 'EXPERIMENT_STATE' || path.at(-1) === 'type')
  return [...read, ...planned.filter((found) => !isGuess(found))]
}

const objectOf = (path: Path): string => JSON.stringify(path.slice(0, 2))

function planProject(wanted: WantedProject | null, { project }: Current): Pair<ProjectFields> {
  const before = projectFields(project)
  const after =
    wanted === null
      ? before
      : { ...withoutWas(wanted), slug: wanted.slug ?? before.slug, name: wanted.name ?? before.name }
  return {
    id: project.id,
    name: after.slug,
    formerName: before.slug,
    before,
    after,
    path: ['project'],
    isPruned: false,
  }
}

const withoutWas = ({ was, ...fields }: WantedProject): Omit<WantedProject, 'was'> => fields

function checkProject(wanted: WantedProject | null, { project }: Current, { isSlugTaken }: PlanFacts): Problem[] {
  const slug = wanted?.slug ?? project.slug
  if (slug === project.slug) return []
  const path = ['project', 'slug']
  if (wanted?.was !== project.slug)
    return [
      problem(
        path,
        `This file is for ${slug}, not for ${project.slug}; to rename the project add was: ${project.slug}`,
      ),
    ]
  return isSlugTaken ? [problem(path, `The slug ${slug} is in use; choose another`, 'CONFLICT')] : []
}

import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { notFound } from '../../base/errors'
import { findSoldProducts, loadCatalogRows } from '../../projects/catalog/service'
import { loadStoreSettings } from '../../projects/connections/credentials'
import { isSlugTaken } from '../../projects/project/admin-queries'
import { findProject } from '../../projects/project/queries'
import type { Current } from './current'
import { loadTargeting } from './load-targeting'
import type { ProjectFile } from './model'
import type { ParsedFile } from './parse'
import { joinProblems, type Plan, planProjectFile } from './plan'

/** Everything of a project that a file speaks about. */
export async function loadCurrent(handle: Handle, vault: Context['vault'], projectId: string): Promise<Current> {
  const project = await findProject(handle, projectId)
  if (!project) throw notFound()
  const catalog = await loadCatalogRows(handle, projectId)
  const targeting = await loadTargeting(handle, projectId)
  return { project, catalog, targeting, stores: await loadStoreSettings(handle, vault, projectId) }
}

export interface Planned {
  plan: Plan
  current: Current
}

/** Plans a file for what is saved, its own problems included; `handle` is the transaction when the plan is to be written. */
export async function planFor(
  handle: Handle & Pick<Context, 'vault' | 'clock'>,
  projectId: string,
  { file, problems }: Pick<ParsedFile, 'file' | 'problems'>,
  prune: boolean,
): Promise<Planned> {
  const current = await loadCurrent(handle, handle.vault, projectId)
  const slug = file.project?.slug ?? current.project.slug
  const absent = prune ? absentProductIds(file, current) : []
  const facts = {
    prune,
    hasVault: handle.vault !== null,
    now: handle.clock.now(),
    isSlugTaken: slug !== current.project.slug && (await isSlugTaken(handle, slug)),
    soldProductIds: await findSoldProducts(handle, projectId, absent),
  }
  const plan = planProjectFile(file, current, facts)
  return { plan: { ...plan, problems: joinProblems(problems, plan.problems) }, current }
}

function absentProductIds({ products }: ProjectFile, { catalog }: Current): string[] {
  if (products === null) return []
  const inFile = new Set(products.flatMap(({ name, was }) => [name, was]))
  return catalog.products.filter(({ identifier }) => !inFile.has(identifier)).map(({ id }) => id)
}

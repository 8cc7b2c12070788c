import type { Context, Tx } from '../../base/context'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import { findProject } from '../../projects/project/service'
import type { ProjectState } from '../../projects/project/state'

/** The project as it is saved: another process may have changed it a moment ago. Null when there is none. */
export async function currentProject(ctx: Context, projectId: string): Promise<ProjectState | null> {
  const held = await ctx.state.projects.find(projectId)
  const row = held && (await findProject(ctx, projectId))
  if (!held || !row) return null
  if (row.configVersion === held.configVersion) return held
  ctx.state.projects.forget(projectId)
  return ctx.state.projects.find(projectId)
}

/** The project with the catalogue as this transaction sees it. Null when the project was deleted. */
export async function projectIn(tx: Tx, known: ProjectState): Promise<ProjectState | null> {
  const row = await findProject(tx, known.id)
  if (!row) return null
  if (row.configVersion === known.configVersion) return known
  return { ...known, catalog: await loadCatalogSnapshot(tx, known.id) }
}

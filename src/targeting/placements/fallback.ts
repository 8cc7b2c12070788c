import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PlacementAnswer } from './model'
import { type PresentedFunnel, presentPlacement } from './presentation'

/** A file that an app ships with, for the time without a network (wire 5.8). */
export interface FallbackExport {
  formatVersion: 1
  generatedAt: string
  projectId: string
  /** By identifier, ascending. */
  placements: Record<string, PlacementAnswer<PresentedFunnel>>
}

/** Every active placement as an anonymous caller gets it, in the default locales. */
export async function fallbackExport(ctx: Context, project: ProjectState): Promise<FallbackExport> {
  const active = [...project.placements.placements.values()].filter(({ isActive }) => isActive)
  const identifiers = active.map(({ identifier }) => identifier).sort()
  const nobody = { deviceKey: null, subscriber: null }
  const presented = identifiers.map(async (identifier): Promise<[string, PlacementAnswer<PresentedFunnel>]> => {
    const { answer } = await presentPlacement(ctx, project, identifier, nobody, null)
    return [identifier, answer]
  })
  const generatedAt = toIso(ctx.clock.now())
  const placements = Object.fromEntries(await Promise.all(presented))
  return { formatVersion: 1, generatedAt, projectId: project.id, placements }
}

import type { Context } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { readRevision } from '../../projects/project/service'
import { rebuild } from './jobs'
import { compareProjects } from './rebuild-projects'

/** The configuration of the deployment up to which this process has compared the settings of figures. */
export interface SettingsSeen {
  revision: number | null
}

/**
 * Starts to compute figures again when a commission rate or the period of a product has changed. Runs every second. A
 * project whose new configuration this process has not loaded yet is looked at in the next run.
 */
export async function watchSettings(ctx: Context): Promise<void> {
  const revision = await readRevision(ctx)
  const seen = ctx.state.figureSettings
  if (revision === seen.revision) return
  const { isUnfinished, isSettled } = await compareProjects(ctx)
  if (isUnfinished) await ctx.write((tx) => enqueue(tx, rebuild, {}, { dedupeKey: 'settings' }))
  if (isSettled) seen.revision = revision
}

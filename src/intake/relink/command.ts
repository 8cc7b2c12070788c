import type { Io } from '../../base/cli/command'
import { startLateProgress } from '../../base/cli/progress'
import type { Context } from '../../base/context'
import { causeOf } from '../../people/events/model'
import { listWaitingProjects } from '../../people/purchases/waiting-queries'
import { requireProject } from '../../projects/project/lookup'
import { type RelinkReport, relinkProject } from './relink'

/** `svc purchases relink`. Returns the exit code. */
export async function runRelink(ctx: Context, io: Io, project: string | undefined, json: boolean): Promise<number> {
  const report = await relinkAll(ctx, io, await listProjects(ctx, project))
  io.out(json ? JSON.stringify(report) : `Purchases linked: ${report.linked}.`)
  if (report.failed > 0) io.err(`${report.failed} purchases could not be linked; the log says why. Run it again.`)
  return report.failed > 0 ? 1 : 0
}

const listProjects = async (ctx: Context, project: string | undefined): Promise<string[]> =>
  project === undefined ? listWaitingProjects(ctx) : [(await requireProject(ctx, project)).id]

async function relinkAll(
  ctx: Context,
  io: Io,
  projectIds: readonly string[],
): Promise<Pick<RelinkReport, 'linked' | 'failed'>> {
  const sum = { linked: 0, failed: 0 }
  for (const projectId of projectIds) {
    const { onProgress, end } = startLateProgress(io, { label: 'Linking', unit: 'purchases' })
    const order = { projectId, productIds: null, cause: causeOf('CLI', null), onProgress }
    const { linked, failed } = await relinkProject(ctx, order).finally(end)
    sum.linked += linked
    sum.failed += failed
  }
  return sum
}

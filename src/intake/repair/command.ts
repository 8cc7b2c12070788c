import type { Io } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { causeOf } from '../../people/events/model'
import { listFormerKeyedProjects } from '../../people/purchases/join-queries'
import { requireProject } from '../../projects/project/lookup'
import type { Joined } from './join'
import { repairProject } from './repair'

export interface RepairOptions {
  project?: string | undefined
  dryRun: boolean
  json: boolean
}

/** `svc purchases repair`. Returns the exit code. */
export async function runRepair(ctx: Context, io: Io, { project, dryRun, json }: RepairOptions): Promise<number> {
  const projectIds =
    project === undefined ? await listFormerKeyedProjects(ctx) : [(await requireProject(ctx, project)).id]
  const items: (Joined & { projectId: string })[] = []
  let failed = 0
  for (const projectId of projectIds) {
    const onJoined = (one: Joined) => {
      items.push({ projectId, ...one })
      if (!json) for (const line of toLines(one)) io.out(line)
    }
    const cause = causeOf('CLI', null, 'IOS_STORE', 'repair')
    failed += (await repairProject(ctx, { projectId, cause, isDryRun: dryRun, onJoined })).failed
  }
  io.out(json ? JSON.stringify({ dryRun, items, failed }) : summary(items.length, dryRun))
  if (failed > 0) io.err(`${failed} purchases could not be repaired; the log says why. Run it again.`)
  return failed > 0 ? 1 : 0
}

const summary = (count: number, dryRun: boolean): string =>
  dryRun ? `Purchases that would be joined: ${count}. Nothing was written.` : `Purchases joined: ${count}.`

const toLines = ({ purchaseId, merged, linesRemoved, lost }: Joined): string[] => [
  `${purchaseId} is also ${merged.join(', ')}; money lines removed: ${linesRemoved.join(', ') || 'none'}`,
  ...lost.map(
    ({ subscriberId, appUserId, access }) =>
      `  ${subscriberId}${appUserId === null ? '' : ` (${appUserId})`} loses ${access.join(', ')}`,
  ),
]

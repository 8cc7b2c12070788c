import type { Io } from '../../base/cli/command'
import { startLateProgress } from '../../base/cli/progress'
import type { Context } from '../../base/context'
import { causeOf } from '../../people/events/model'
import { requireProject } from '../../projects/project/lookup'
import { listProjects } from '../../projects/project/service'
import { currentProject } from '../relink/current-project'
import { doubledCredits, takeDoubled } from './credits'
import type { DoubledCredit } from './doubled-charges'
import type { Joined } from './join'
import { repairProject } from './repair'

export interface RepairOptions {
  project?: string | undefined
  dryRun: boolean
  /** Whether to take back double grants. */
  credits: boolean
  json: boolean
}

const CAUSE = causeOf('CLI', null, 'IOS_STORE', 'repair')

interface Run {
  items: (Joined & { projectId: string })[]
  credits: (DoubledCredit & { projectId: string; isTaken: boolean })[]
  failed: number
}

/** `svc purchases repair`. Returns the exit code. */
export async function runRepair(ctx: Context, io: Io, options: RepairOptions): Promise<number> {
  const { project, dryRun, json } = options
  const run: Run = { items: [], credits: [], failed: 0 }
  const ids =
    project === undefined ? (await listProjects(ctx)).map(({ id }) => id) : [(await requireProject(ctx, project)).id]
  for (const projectId of ids) {
    await join(ctx, io, run, projectId, options)
    await listCredits(ctx, run, projectId, options)
  }
  if (json) io.out(JSON.stringify({ dryRun, ...run }))
  else for (const line of toLines(run, options)) io.out(line)
  if (run.failed > 0) io.err(`${run.failed} purchases could not be repaired; the log says why. Run it again.`)
  return run.failed > 0 ? 1 : 0
}

async function join(ctx: Context, io: Io, run: Run, projectId: string, { dryRun }: RepairOptions): Promise<void> {
  const onJoined = (one: Joined) => void run.items.push({ projectId, ...one })
  const { onProgress, end } = startLateProgress(io, { label: 'Repairing', unit: 'purchases' })
  const order = { projectId, cause: CAUSE, isDryRun: dryRun, isAll: true, onJoined, onProgress }
  run.failed += (await repairProject(ctx, order).finally(end)).failed
  // A dry run writes nothing, so `doubledCredits` does not find what its joins would double.
  const tried = dryRun ? run.items.filter((item) => item.projectId === projectId) : []
  run.credits.push(...tried.flatMap(({ credits }) => credits).map((one) => ({ projectId, ...one, isTaken: false })))
}

async function listCredits(
  ctx: Context,
  { credits }: Run,
  projectId: string,
  { dryRun, credits: isTaking }: RepairOptions,
): Promise<void> {
  const project = await currentProject(ctx, projectId)
  if (!project) return
  const known = new Set(credits.map(({ reference, currency }) => `${currency} ${reference}`))
  for await (const page of doubledCredits(ctx, project))
    for (const one of page.filter(({ reference, currency }) => !known.has(`${currency} ${reference}`))) {
      const isTaken = isTaking && !dryRun && (await takeDoubled(ctx, project, one, CAUSE))
      credits.push({ projectId, ...one, isTaken })
    }
}

const toLines = ({ items, credits }: Run, { dryRun }: RepairOptions): string[] => [
  ...items.flatMap(toItemLines),
  ...credits.map(toCreditLine),
  dryRun
    ? `Purchases that would be joined: ${items.length}. Nothing was written.`
    : `Purchases joined: ${items.length}.`,
]

const toItemLines = ({ purchaseId, merged, linesRemoved, lost }: Joined): string[] => [
  `${toSubject(purchaseId, merged)}; money lines removed: ${linesRemoved.join(', ') || 'none'}`,
  ...lost.map(
    ({ subscriberId, appUserId, access }) =>
      `  ${subscriberId}${appUserId === null ? '' : ` (${appUserId})`} loses ${access.join(', ')}`,
  ),
]

const toSubject = (purchaseId: string, merged: readonly string[]): string =>
  merged.length > 0
    ? `${purchaseId} is also ${merged.join(', ')}`
    : `${purchaseId} has charges that were recorded twice`

const toCreditLine = ({ purchaseId, subscriberId, currency, amount, isTaken }: Run['credits'][number]): string =>
  `${subscriberId} got ${amount} ${currency} a second time for ${purchaseId}${isTaken ? '; taken back' : ''}`

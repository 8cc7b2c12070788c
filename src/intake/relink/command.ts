import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { type Progress, startProgress } from '../../base/cli/progress'
import type { Context } from '../../base/context'
import { causeOf } from '../../people/events/model'
import { listWaitingProjects } from '../../people/purchases/waiting-queries'
import { requireProject } from '../../projects/project/lookup'
import { runRepair } from '../repair/command'
import { type RelinkReport, relinkProject } from './relink'

const options = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

export const purchasesCommand: Command = {
  name: 'purchases',
  summary: 'link purchases to products that came later, and join rows of one purchase',
  help: `
svc purchases relink [--project P]
svc purchases repair [--project P] [--dry-run]

Purchases that were recorded before a product had their store id get that product: its name, its access, its place in
the figures, and the currency that it grants, which imported history does not get. A running server does this by itself
after every edit of a product; both may run at once, and a second run changes nothing. A purchase that has a product
keeps it.

repair joins the rows that a release before copies were known has made of one purchase of the App Store. The owner of the
oldest row keeps it, a labelled one before one without a label. Others lose the access; each of them is named. Ids of
before name the row that stays. A running server does this by itself; a second run changes nothing.

  --project P  slug or id; without it every project
  --dry-run    repair only: what would be done, and who would lose access; nothing is written
  --data DIR, --json

Example: svc purchases relink --project sleep-app`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, ...more] = positionals
    const dryRun = values['dry-run'] ?? false
    if (more.length > 0 || (action !== 'relink' && action !== 'repair'))
      throw new UsageError('purchases takes relink or repair')
    if (action === 'relink' && dryRun) throw new UsageError('relink takes no --dry-run')
    const { project, json = false } = values
    return withContext(io, values, (ctx) =>
      action === 'repair' ? runRepair(ctx, io, { project, dryRun, json }) : runRelink(ctx, io, project, json),
    )
  },
}

async function runRelink(ctx: Context, io: Io, project: string | undefined, json: boolean): Promise<number> {
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
    const { onProgress, end } = progressOf(io)
    const order = { projectId, productIds: null, cause: causeOf('CLI', null), onProgress }
    const { linked, failed } = await relinkProject(ctx, order).finally(end)
    sum.linked += linked
    sum.failed += failed
  }
  return sum
}

function progressOf(io: Io) {
  let progress: Progress | null = null
  return {
    onProgress(done: number, total: number) {
      progress ??= startProgress(io, { label: 'Linking', total, unit: 'purchases' })
      progress.at(done)
    },
    end: () => progress?.end(),
  }
}

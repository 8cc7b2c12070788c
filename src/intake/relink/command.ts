import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { type Progress, startProgress } from '../../base/cli/progress'
import type { Context } from '../../base/context'
import { causeOf } from '../../people/events/model'
import { listWaitingProjects } from '../../people/purchases/waiting-queries'
import { requireProject } from '../../projects/project/lookup'
import { type RelinkReport, relinkProject } from './relink'

const options = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const purchasesCommand: Command = {
  name: 'purchases',
  summary: 'link purchases to products that came into the catalogue later',
  help: `
svc purchases relink [--project P]

Purchases that were recorded before a product had their store id get that product: its name, its access, its place in
the figures, and the currency that it grants, which imported history does not get. A running server does this by itself
after every edit of a product; both may run at once, and a second run changes nothing. A purchase that has a product
keeps it.

  --project P  slug or id; without it every project
  --data DIR, --json

Example: svc purchases relink --project sleep-app`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length !== 1 || positionals[0] !== 'relink') throw new UsageError('purchases takes relink')
    return withContext(io, values, async (ctx) => {
      const projectIds = await listProjects(ctx, values.project)
      const report = await relinkAll(ctx, io, projectIds)
      io.out(values.json ? JSON.stringify(report) : `Purchases linked: ${report.linked}.`)
      if (report.failed > 0) io.err(`${report.failed} purchases could not be linked; the log says why. Run it again.`)
      return report.failed > 0 ? 1 : 0
    })
  },
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

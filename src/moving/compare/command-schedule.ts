import { parseArgs } from 'node:util'
import { found, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { removeSchedule, setSchedule } from './admin'
import { type CompareAction, commonOptions, orderOptions, readKey, readKeyName, readOrder } from './command-options'
import { listRunViews, type RunView } from './views'

interface CommonValues {
  project?: string | undefined
  data?: string | undefined
}

const withProject = (io: Io, values: CommonValues, work: (ctx: Context, projectId: string) => Promise<number>) =>
  withContext(io, values, async (ctx) => work(ctx, (await requireProject(ctx, values.project)).id))

export const scheduleAction: CompareAction = {
  usage: `svc compare schedule --vendor V --key-env NAME [--daily-at HH:MM] [--sample N|all] [--rate N] [--url BASE]
                 the server compares every night; the key is kept encrypted`,
  async run(args, io) {
    const options = { ...commonOptions, ...orderOptions, 'daily-at': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length > 0) throw new UsageError('compare schedule takes options only')
    const [order, keyName] = [readOrder(values), readKeyName(values)]
    return withProject(io, values, async (ctx, projectId) => {
      const input = { ...order, key: readKey(keyName, io), dailyAt: values['daily-at'] }
      const made = await setSchedule(ctx, { projectId, actor: CLI_ACTOR, isTrusted: true }, input)
      io.out(values.json ? JSON.stringify(made) : `Every day at ${made.dailyAt} UTC, first on ${made.nextRunAt}.`)
      return 0
    })
  },
}

export const unscheduleAction: CompareAction = {
  usage: 'svc compare unschedule\n                 ends the nightly comparison; what it has found stays',
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: commonOptions })
    return withProject(io, values, async (ctx, projectId) => {
      await found('nightly comparison', removeSchedule(ctx, { projectId, actor: CLI_ACTOR }))
      io.out(values.json ? JSON.stringify({ deleted: true }) : 'The nightly comparison is ended.')
      return 0
    })
  },
}

const LAST = 20

export const runsAction: CompareAction = {
  usage: 'svc compare runs\n                 the last comparisons, and what they have found',
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: commonOptions })
    return withProject(io, values, async (ctx, projectId) => {
      const { items: runs } = await listRunViews(ctx, projectId, { limit: LAST })
      if (values.json) io.out(JSON.stringify({ runs }))
      else io.out(runs.length === 0 ? 'Nothing was compared yet.' : table([HEAD, ...runs.map(toLine)]))
      return 0
    })
  },
}

const HEAD = ['id', 'started', 'status', 'people', 'differences']

const toLine = ({ id, startedAt, status, counters, differences, error }: RunView): string[] => [
  ...[id, startedAt, status, `${counters.done} of ${counters.people}`],
  error === null ? String(differences) : `${differences} (${error})`,
]

import { parseArgs } from 'node:util'
import { CommandFailure, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import type { Context } from '../../base/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { beginRun, continueRun } from './begin'
import {
  type CompareAction,
  commonOptions,
  type OrderValues,
  orderOptions,
  readKey,
  readKeyName,
  readOrder,
  readRate,
} from './command-options'
import { performHere, writeCsv } from './command-perform'
import { summaryOf } from './command-summary'
import { notHere } from './listed'
import { checkOrder } from './order'
import { readPeople } from './people-file'
import { pageRuns, type RunRow } from './queries'
import { toRunView } from './views'

interface Values extends OrderValues {
  project?: string | undefined
  csv?: string | undefined
  resume?: boolean | undefined
  people?: string | undefined
}

const own = { csv: { type: 'string' }, resume: { type: 'boolean' }, people: { type: 'string' } } as const

/** The comparison itself, which has no name of its own on the command line. */
export const compareAction: CompareAction = {
  usage: `svc compare --vendor V --key-env NAME [--sample N|all] [--rate N] [--url BASE] [--people FILE] [--csv FILE] [--resume]
                 asks the vendor about the people of a project, and lists what differs`,
  async run(args, io) {
    const options = { ...commonOptions, ...orderOptions, ...own } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length > 0) throw new UsageError(`compare does not know "${positionals[0]}"; see --help`)
    refuseMixed(values)
    const order = values.resume ? null : readOrder(values)
    const rate = readRate(values.rate) ?? null
    const keyName = readKeyName(values)
    return withContext(io, values, async (ctx) => {
      const key = readKey(keyName, io)
      const people = values.people === undefined ? [] : await readPeople(values.people)
      const { id: projectId } = await requireProject(ctx, values.project)
      const listed = await notHere(ctx, projectId, people)
      const run = order
        ? await beginRun(ctx, {
            ...(await orderOf(ctx, order, key)),
            ...{ projectId, actor: CLI_ACTOR, listed: listed.length },
          })
        : await requireOpen(ctx, projectId, rate, values.people === undefined ? null : listed.length)
      const done = await performHere(ctx, run, { key, listed }, io)
      if (values.csv !== undefined) await writeCsv(ctx, done, values.csv)
      io.out(values.json ? JSON.stringify(toRunView(done)) : summaryOf(done, values.csv ?? null))
      return exitCode(done)
    })
  },
}

function refuseMixed(values: Values): void {
  const [given] = (['sample', 'url', 'include-sandbox'] as const).filter((name) => values[name] !== undefined)
  if (values.resume && given) throw new UsageError(`--resume goes on as it was begun, so it takes no --${given}`)
}

const orderOf = async (ctx: Context, order: ReturnType<typeof readOrder>, key: string) => ({
  ...(await checkOrder(ctx, order, { isTrusted: true, key })),
  sealedKey: null,
  isScheduled: false,
})

async function requireOpen(
  ctx: Context,
  projectId: string,
  rate: number | null,
  listed: number | null,
): Promise<RunRow> {
  const [last] = await pageRuns(ctx, projectId, { limit: 1 })
  const before = last?.counters.listed ?? 0
  if (before > 0 && listed === null)
    throw new UsageError('The comparison was begun with --people; name the same list again')
  if (last && before === 0 && listed !== null && listed > 0)
    throw new UsageError('The comparison was begun without --people; go on without it, or begin a new one')
  const run = await continueRun(ctx, projectId, rate)
  if (!run) throw new CommandFailure('NOT_FOUND', 'There is no comparison to go on with; begin one without --resume')
  return run
}

/** 3 when something differs; 1 when some people could not be compared, because then it is not known that both agree. */
function exitCode({ kinds, counters }: RunRow): number {
  if (Object.keys(kinds).length > 0) return 3
  return counters.faults > 0 ? 1 : 0
}

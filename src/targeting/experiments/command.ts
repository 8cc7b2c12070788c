import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { found } from '../../base/cli/found'
import { toLimit } from '../../base/cli/option'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import type { ProjectActor } from '../../projects/project/edit'
import { requireProject } from '../../projects/project/lookup'
import { experimentIdOf, listExperimentViews } from './admin'
import {
  duplicateExperiment,
  pauseExperiment,
  resumeExperiment,
  startExperiment,
  stopExperimentNow,
} from './admin-actions'
import type { ExperimentView } from './admin-wire'
import { showResults } from './command-results'

const options = {
  project: { type: 'string' },
  winner: { type: 'string' },
  promote: { type: 'boolean' },
  limit: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const experimentCommand: Command = {
  name: 'experiment',
  summary: 'list, start, pause, resume, stop or duplicate experiments, and see how they stand',
  optionOf: { winnerVariantId: '--winner', promoteToFlag: '--promote' },
  help: `
svc experiment list [--limit N]
svc experiment start EXPERIMENT          its key and type are fixed from then on
svc experiment pause EXPERIMENT          gone from the next answers; who holds a variant keeps it
svc experiment resume EXPERIMENT
svc experiment stop EXPERIMENT [--winner VARIANT [--promote]] [--yes]   for good, so it asks first
svc experiment duplicate EXPERIMENT      a new draft with the same variants
svc experiment results EXPERIMENT        what each variant brought so far, and what to do

EXPERIMENT is a key or an exp_ id. All of it holds within 2 seconds on a running server. An experiment is written in the
project file, with: svc apply

  --winner VARIANT  the id of the variant that won
  --promote         a FLAG experiment: the winner's value becomes the default of a flag under the same key, in every
                    environment
  --yes             do not ask; needed without a terminal and with --json
  --limit N         the newest N (50)
  --project P       slug or id; needless with one project
  --data DIR, --json

Example: svc experiment stop paywall_test --winner cards --promote`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values, io)
    return withContext(io, values, async (ctx) => work(ctx, (await requireProject(ctx, values.project)).id))
  },
}

type Work = (ctx: Context, projectId: string) => Promise<number>
type Act = (ctx: Context, by: ProjectActor, id: string) => Promise<ExperimentView>

const ACTS = new Map<string, Act>([
  ['start', startExperiment],
  ['pause', pauseExperiment],
  ['resume', resumeExperiment],
  ['duplicate', duplicateExperiment],
])

interface Values {
  winner?: string | undefined
  promote?: boolean | undefined
  limit?: string | undefined
  yes?: boolean | undefined
  json?: boolean | undefined
}

function toWork([action, ref, ...more]: readonly string[], values: Values, io: Io): Work {
  if (action === 'list' && ref === undefined) return list(values, io)
  if (action === 'results' && ref !== undefined && more.length === 0)
    return (ctx, projectId) => showResults(ctx, projectId, ref, io, values.json ?? false)
  const act = action === 'stop' ? stopping(values, io, ref) : ACTS.get(action ?? '')
  if (!act || ref === undefined || more.length > 0)
    throw new UsageError(
      'experiment takes list, or one of start, pause, resume, stop, duplicate and results with an experiment',
    )
  if (action !== 'stop' && (values.winner !== undefined || values.promote))
    throw new UsageError('--winner and --promote belong to experiment stop')
  return async (ctx, projectId) => {
    const id = await found(`experiment "${ref}"`, experimentIdOf(ctx, projectId, ref))
    const experiment = await act(ctx, { projectId, actor: CLI_ACTOR }, id)
    io.out(values.json ? JSON.stringify(experiment) : table([HEAD, toLine(experiment)]))
    return 0
  }
}

/** Stopping an experiment cannot be undone. */
function stopping({ winner, promote = false, yes = false, json = false }: Values, io: Io, ref = ''): Act {
  if (promote && winner === undefined) throw new UsageError('--promote needs --winner VARIANT')
  if (!yes && (!io.isTerminal || json)) throw new UsageError('experiment stop cannot ask here: add --yes')
  const request = { winnerVariantId: winner ?? null, promoteToFlag: promote }
  const outcome = winner === undefined ? 'without a winner' : `with the winner ${winner}`
  const flag = promote ? `, and make its value the default of the flag ${ref}` : ''
  return async (ctx, by, id) => {
    if (!yes && !(await io.confirm(`Stop ${ref} for good, ${outcome}${flag}?`)))
      throw new CommandFailure('HTTP_ERROR', 'Nothing was stopped.')
    return stopExperimentNow(ctx, by, id, request)
  }
}

function list({ limit, json }: Values, io: Io): Work {
  const page = { limit: toLimit(limit) }
  return async (ctx, projectId) => {
    const found = await listExperimentViews(ctx, projectId, page)
    if (json) io.out(JSON.stringify(found))
    else io.out(found.items.length === 0 ? 'There is no experiment.' : table([HEAD, ...found.items.map(toLine)]))
    return 0
  }
}

const HEAD = ['experiment', 'type', 'status', 'variants', 'started', 'ended', 'winner']

const toLine = ({ key, type, status, variants, ...row }: ExperimentView): string[] => [
  key,
  type,
  status,
  Array.isArray(variants) ? variants.map(({ id }) => id).join(' ') : 'broken',
  row.startedAt ?? (row.scheduledStartAt ? `${row.scheduledStartAt} (scheduled)` : ''),
  row.completedAt ?? (row.scheduledStopAt ? `${row.scheduledStopAt} (scheduled)` : ''),
  row.winnerVariantId ?? '',
]

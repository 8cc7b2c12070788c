import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, toLimit, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import type { ExperimentView } from './admin-wire'
import { Experiment, experimentIdOf, experimentsOf, showResults } from './command-results'

const options = {
  ...projectOptions,
  winner: { type: 'string' },
  promote: { type: 'boolean' },
  limit: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
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
${remoteHelp(20)}

Example: svc experiment stop paywall_test --winner cards --promote`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values, io)
    return withProject(io, values, work)
  },
}

type Work = (project: ProjectApi) => Promise<number>

/** What is sent to act on an experiment, after the person was asked. */
type Act = () => Promise<{ action: string; body: object }>

const ACTIONS = ['start', 'pause', 'resume', 'duplicate'] as const

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
    return (project) => showResults(project, ref, io, values.json ?? false)
  const act = action === 'stop' ? stopping(values, io, ref) : acting(action)
  if (!act || ref === undefined || more.length > 0)
    throw new UsageError(
      'experiment takes list, or one of start, pause, resume, stop, duplicate and results with an experiment',
    )
  if (action !== 'stop' && (values.winner !== undefined || values.promote))
    throw new UsageError('--winner and --promote belong to experiment stop')
  return async (project) => {
    const id = await experimentIdOf(project, `experiment "${ref}"`, ref)
    const { action: name, body } = await act()
    const acted = await project.call('POST', ['experiments', id, name], { data: Experiment, body })
    const experiment = acted as ExperimentView // The schema has checked all of it but the variants.
    io.out(values.json ? JSON.stringify(experiment) : table([HEAD, toLine(experiment)]))
    return 0
  }
}

function acting(action: string | undefined): Act | undefined {
  const known = ACTIONS.find((name) => name === action)
  return known && (async () => ({ action: known, body: {} }))
}

/** Stopping an experiment cannot be undone. */
function stopping({ winner, promote = false, yes = false, json = false }: Values, io: Io, ref = ''): Act {
  if (promote && winner === undefined) throw new UsageError('--promote needs --winner VARIANT')
  if (!yes && (!io.isTerminal || json)) throw new UsageError('experiment stop cannot ask here: add --yes')
  const body = { winnerVariantId: winner ?? null, promoteToFlag: promote }
  const outcome = winner === undefined ? 'without a winner' : `with the winner ${winner}`
  const flag = promote ? `, and make its value the default of the flag ${ref}` : ''
  return async () => {
    if (!yes && !(await io.confirm(`Stop ${ref} for good, ${outcome}${flag}?`)))
      throw new CommandFailure('HTTP_ERROR', 'Nothing was stopped.')
    return { action: 'stop', body }
  }
}

function list({ limit, json }: Values, io: Io): Work {
  const page = toLimit(limit)
  return async (project) => {
    const found = await experimentsOf(project, page)
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

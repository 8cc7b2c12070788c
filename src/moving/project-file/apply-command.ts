import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import type { Context } from '../../base/context'
import { findProjectByRef } from '../../projects/project/service'
import { applyFile, planFile } from '../../projects/project-file/apply'
import { changesOf } from '../../projects/project-file/changes'
import { formatDiff, formatProblems, jsonDiff } from '../../projects/project-file/diff'
import { locateProblems, type ParsedFile, parseProjectFile, wantedOf } from '../../projects/project-file/parse'
import type { LocatedProblem } from '../../projects/project-file/problem'
import { PROJECT } from '../../projects/project-file/project/model'
import type { Sources } from '../../projects/project-file/secret'
import { sectionsOf } from '../../projects/project-file/sections'

const options = {
  file: { type: 'string', short: 'f' },
  project: { type: 'string' },
  'dry-run': { type: 'boolean' },
  check: { type: 'boolean' },
  prune: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const applyCommand: Command = {
  name: 'apply',
  summary: 'make a project equal to a file',
  help: `
svc apply -f FILE [--project P] [--dry-run|--check] [--prune] [--yes] [--data DIR] [--json]

  Prints what would change and asks; a file with any problem changes nothing. A running server sees the change
  within 2 seconds.

  -f, --file FILE  YAML or JSON; svc export writes one
  --project P      slug or id; without it the file's project.slug
  --dry-run        only print
  --check          only print, and exit 3 when there are differences
  --prune          delete what the sections of the file no longer name
  --yes            do not ask; needed without a terminal and with --json

Example: svc apply -f svc.yaml --prune --yes`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const run = checkUsage(values, io)
    const parsed = parseProjectFile(
      sectionsOf(io.program.hooks),
      readProjectFile(run.file),
      sourcesBeside(run.file, io.env),
    )
    if ('unreadable' in parsed) throw refusal(run, parsed.unreadable)
    if (parsed.problems.length > 0) throw refusal(run, await allProblems(run, parsed))
    return withContext(io, values, (ctx) => apply(ctx, run, parsed))
  },
}

interface Run {
  io: Io
  file: string
  project: string | undefined
  mode: 'ask' | 'yes' | 'dry-run' | 'check'
  prune: boolean
  json: boolean
  data: string | undefined
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

function checkUsage(values: Values, io: Io): Run {
  const { file, project, prune = false, json = false, data } = values
  if (file === undefined) throw new UsageError('apply needs a file: -f svc.yaml')
  const mode = modeOf(values)
  if (mode === 'ask' && (!io.isTerminal || json))
    throw new UsageError('apply cannot ask here: add --yes, or --dry-run or --check to change nothing')
  return { io, file, project, mode, prune, json, data }
}

function modeOf({ check, yes, 'dry-run': dryRun }: Values): Run['mode'] {
  if (check && dryRun) throw new UsageError('--dry-run and --check exclude each other')
  if (check) return 'check'
  if (dryRun) return 'dry-run'
  return yes ? 'yes' : 'ask'
}

function readProjectFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandFailure('NOT_FOUND', `${path} cannot be read (${(error as Error).message})`)
  }
}

// A funnel has at most half a megabyte; indentation can make its file larger.
const MAX_SIDE_FILE_BYTES = 2 * 1024 * 1024

/** Reads the values of placeholders: from the environment, and from files relative to the project file. */
function sourcesBeside(path: string, env: Io['env']): Sources {
  const readBeside = (name: string): string | null => {
    const beside = resolve(dirname(resolve(path)), name)
    try {
      return statSync(beside).size > MAX_SIDE_FILE_BYTES ? null : readFileSync(beside, 'utf8')
    } catch {
      return null // The problems of the file then say that it cannot be read.
    }
  }
  return { env: (name) => env[name] ?? null, file: readBeside }
}

/** The problems of the file itself and, when the database answers, those that depend on the saved project. */
async function allProblems(run: Run, parsed: ParsedFile): Promise<LocatedProblem[]> {
  try {
    return await withContext(run.io, run, async (ctx) => {
      const projectId = await findTarget(ctx, run.project, parsed)
      const { problems } = await planFile(ctx, projectId, parsed, run)
      return locateProblems(parsed, problems)
    })
  } catch {
    return locateProblems(parsed, parsed.problems) // The file is refused anyway; the database's error is left out.
  }
}

/** The failure of a file with problems: each is a line for people, and all are in the details of the envelope. */
function refusal({ file }: Run, problems: readonly LocatedProblem[]): CommandFailure {
  const count = `${problems.length} problem${problems.length === 1 ? '' : 's'}`
  const details = { fields: problems.map(({ path }) => path), problems }
  const lines = formatProblems(file, problems)
  return new CommandFailure('VALIDATION_ERROR', `${file} has ${count}, so nothing was changed.`, { lines, details })
}

async function findTarget(ctx: Context, given: string | undefined, parsed: ParsedFile): Promise<string> {
  const project = wantedOf(parsed, PROJECT)?.[0]?.state
  const refs = given === undefined ? [project?.slug, project?.was] : [given]
  const [ref] = refs
  if (!ref) throw new UsageError('apply needs to know the project: --project, or project.slug in the file')
  for (const candidate of refs) {
    const found = candidate ? await findProjectByRef(ctx, candidate) : null
    if (found) return found.id
  }
  throw new CommandFailure(
    'NOT_FOUND',
    `There is no project "${ref}"; make it first: svc project create --name NAME --slug ${ref}`,
  )
}

async function apply(ctx: Context, run: Run, parsed: ParsedFile): Promise<number> {
  const projectId = await findTarget(ctx, run.project, parsed)
  const plan = await planFile(ctx, projectId, parsed, run)
  if (plan.problems.length > 0) throw refusal(run, locateProblems(parsed, plan.problems))
  const changes = changesOf(plan)
  if (run.json) run.io.out(JSON.stringify(jsonDiff(changes, plan.keptSecrets)))
  else for (const line of formatDiff(changes, plan.keptSecrets)) run.io.out(line)
  if (changes.length === 0 || run.mode === 'dry-run') return 0
  if (run.mode === 'check') return 3
  if (run.mode === 'ask' && !(await run.io.confirm('Apply?')))
    throw new CommandFailure('HTTP_ERROR', 'Nothing was applied.')
  await applyFile(ctx, projectId, parsed, { prune: run.prune, configVersion: plan.configVersion })
  if (!run.json) run.io.out('applied')
  return 0
}

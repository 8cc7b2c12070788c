import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { readRemoteAddress, remoteHelp } from '../../base/cli/remote'
import { projectOptions, withPlace } from '../../projects/project/project-api'
import { formatProblems } from '../../projects/project-file/diff'
import { locateProblems, type ParsedFile, parseProjectFile } from '../../projects/project-file/parse'
import type { LocatedProblem } from '../../projects/project-file/problem'
import type { MadeSecret } from '../../projects/project-file/secret'
import { sectionsOf } from '../../projects/project-file/sections'
import { type Applied, type ApplyTarget, applyTarget } from './apply-target'
import { patchTarget } from './patch-target'
import type { PlanReport } from './report'
import { type FileText, recordingSources } from './sources'

const options = {
  ...projectOptions,
  file: { type: 'string', short: 'f' },
  patch: { type: 'string' },
  'dry-run': { type: 'boolean' },
  check: { type: 'boolean' },
  prune: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
} as const

export const applyCommand: Command = {
  name: 'apply',
  summary: 'make a project equal to a file, or change it by a patch of its file',
  help: `
svc apply -f FILE [--project P] [--dry-run|--check] [--prune] [--yes] [--data DIR | --url URL] [--json]
svc apply --patch FILE [--project P] [--dry-run|--check] [--yes] [--data DIR | --url URL] [--json]

  Prints what would change and asks; a file with any problem changes nothing. A running server sees the change
  within 2 seconds.

  -f, --file FILE  YAML or JSON; svc export writes one
  --patch FILE     only what changes, as JSON Merge Patch (RFC 7396) of the project's file, in YAML or JSON: what it
                   does not name stays, a list is replaced whole, null removes; it has no secrets and no placeholders
  --project P      slug or id; without it the file's project.slug, for a patch the only project
  --dry-run        only print
  --check          only print, and exit 3 when there are differences
  --prune          delete what the sections of the file no longer name
  --yes            do not ask; needed without a terminal and with --json
${remoteHelp(19)}

Example: svc apply -f svc.yaml --prune --yes`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const run = checkUsage(values, io)
    readRemoteAddress(io, values) // Wrong usage is refused before the file is read.
    if (run.isPatch) {
      const patch = readProjectFile(run.file)
      return withPlace(io, values, async (place) => apply(run, await patchTarget(place, patch, run.project)))
    }
    const text: FileText = { file: readProjectFile(run.file), env: {}, files: {} }
    const parsed = parseProjectFile(sectionsOf(io.program.hooks), text.file, recordingSources(run.file, io.env, text))
    if ('unreadable' in parsed) throw refusal(run, complete(parsed.unreadable))
    const inTarget = <Result>(work: (target: ApplyTarget) => Promise<Result>): Promise<Result> =>
      withPlace(io, values, async (place) => work(await applyTarget(place, text, parsed, run)))
    if (parsed.problems.length > 0) throw refusal(run, await allProblems(parsed, inTarget))
    return inTarget((target) => apply(run, target))
  },
}

interface Run {
  io: Io
  file: string
  isPatch: boolean
  project: string | undefined
  mode: 'ask' | 'yes' | 'dry-run' | 'check'
  prune: boolean
  json: boolean
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

function checkUsage(values: Values, io: Io): Run {
  const { patch, project, prune = false, json = false } = values
  const file = values.file ?? patch
  if (file === undefined) throw new UsageError('apply needs a file: -f svc.yaml, or --patch FILE')
  if (values.file !== undefined && patch !== undefined) throw new UsageError('-f and --patch exclude each other')
  if (patch !== undefined && prune) throw new UsageError('--prune belongs to -f: in a patch, null removes an object')
  const mode = modeOf(values)
  if (mode === 'ask' && (!io.isTerminal || json))
    throw new UsageError('apply cannot ask here: add --yes, or --dry-run or --check to change nothing')
  return { io, file, isPatch: patch !== undefined, project, mode, prune, json }
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

type FoundProblems = Pick<PlanReport, 'problems' | 'problemCount'>

const complete = (problems: LocatedProblem[]): FoundProblems => ({ problems, problemCount: problems.length })

/** The problems of the file itself and, when the database answers, those that depend on the saved project. */
async function allProblems(
  parsed: ParsedFile,
  inTarget: <Result>(work: (target: ApplyTarget) => Promise<Result>) => Promise<Result>,
): Promise<FoundProblems> {
  try {
    return await inTarget((target) => target.plan())
  } catch {
    return complete(locateProblems(parsed, parsed.problems)) // The file is refused anyway; the database's error is left out.
  }
}

/** The failure of a file with problems: each is a line for people, and all are in the details of the envelope. */
function refusal({ file }: Run, { problems, problemCount }: FoundProblems): CommandFailure {
  const count = `${problemCount} problem${problemCount === 1 ? '' : 's'}`
  const details = { fields: problems.map(({ path }) => path), problems }
  const lines = formatProblems(file, problems)
  if (problemCount > problems.length) lines.push(`and ${problemCount - problems.length} more`)
  return new CommandFailure('VALIDATION_ERROR', `${file} has ${count}, so nothing was changed.`, { lines, details })
}

/** The secret cannot be read again. */
const toSecretLine = ({ kind, ref, secret }: MadeSecret): string =>
  `${kind} ${ref} signs with ${secret} (shown only now)`

async function apply(run: Run, target: ApplyTarget): Promise<number> {
  const report = await target.plan()
  const { lines, diff, hasChanges, configVersion } = report
  if (report.problemCount > 0) throw refusal(run, report)
  const isApplied = hasChanges && (run.mode === 'ask' || run.mode === 'yes')
  if (!run.json) for (const line of lines) run.io.out(line)
  else if (!isApplied) run.io.out(JSON.stringify(diff))
  // The server learns that the project is as the file.
  if (!run.isPatch && !hasChanges && run.mode !== 'check' && run.mode !== 'dry-run') await target.apply(configVersion)
  if (!isApplied) return hasChanges && run.mode === 'check' ? 3 : 0
  if (run.mode === 'ask' && !(await run.io.confirm('Apply?')))
    throw new CommandFailure('HTTP_ERROR', 'Nothing was applied.')
  const applied = await target.apply(configVersion)
  if (run.json) run.io.out(JSON.stringify({ ...diff, ...news(applied) }))
  else for (const line of ['applied', ...applied.secrets.map(toSecretLine), ...waitingLines(applied)]) run.io.out(line)
  return 0
}

/** What came of it, besides the changes. */
const news = ({ secrets, waitingPurchases }: Applied): Partial<Applied> => ({
  ...(secrets.length > 0 && { secrets }),
  ...(waitingPurchases > 0 && { waitingPurchases }),
})

function waitingLines({ waitingPurchases: count }: Applied): string[] {
  if (count === 0) return []
  const waited =
    count === 1
      ? '1 purchase was recorded before its product'
      : `${count} purchases were recorded before their products`
  return [`${waited}; a running server links them within seconds, otherwise run svc purchases relink`]
}

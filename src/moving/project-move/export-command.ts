import { existsSync } from 'node:fs'
import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { grouped, type Progress, startProgress } from '../../base/cli/progress'
import { reasonOf } from '../../base/cli/reason'
import { stopSignal } from '../../base/cli/storage'
import { isUnavailable } from '../../base/db/errors'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { requireProject } from '../../projects/project/lookup'
import { exportProject } from './export'
import { exportFiles } from './files'
import { type LeftBehind, listLeftBehind } from './left-behind'

interface Values {
  output?: string | undefined
  force?: boolean | undefined
  'passphrase-env'?: string | undefined
  'with-ids'?: boolean | undefined
  fallback?: boolean | undefined
  url?: string | undefined
  data?: string | undefined
  json?: boolean | undefined
}

/** `svc export --with-data`. */
export async function exportWithData(io: Io, ref: string, values: Values): Promise<number> {
  if (values.url !== undefined) throw new UsageError('--with-data works on the machine of the server, without --url')
  if (values['with-ids'] || values.fallback)
    throw new UsageError('--with-data goes with neither --with-ids nor --fallback')
  return withContext(io, values, async (ctx) => {
    const passphrase = readPassphrase(io, values['passphrase-env'])
    const project = await requireProject(ctx, ref)
    const file = values.output ?? `${project.slug}.svc.gz`
    if (existsSync(file) && !values.force)
      throw new CommandFailure('CONFLICT', `${file} is there already; choose another name, or replace it with --force.`)
    const startedAtMs = monotonicMs()
    const signal = stopSignal(io)
    let progress: Progress | undefined
    const onRows = (done: number, total: number) => {
      progress ??= startProgress(io, { label: 'Exporting', unit: 'rows', total })
      progress.at(done)
    }
    try {
      const exported = await exportProject(ctx, project, file, { passphrase, signal, onRows })
      const seconds = (monotonicMs() - startedAtMs) / SECOND
      const { rows, bytes, digest } = exported
      const size = `${grouped(rows)} rows, ${(bytes / 1_000_000).toFixed(1)} MB, ${seconds.toFixed(1)} s`
      const files = await exportFiles(ctx, project.id, file, signal)
      const left = await listLeftBehind(ctx, project.id)
      const lines = [`${file}: ${size}.`, `Digest of the content: ${digest}`, keyLine(passphrase)]
      lines.push(...fileLines(files), ...leftLines(left))
      if (values.json) io.out(JSON.stringify({ file, project: project.id, ...exported, files, left, seconds }))
      else for (const line of lines) io.out(line)
      return 0
    } catch (error) {
      throw moveFailure(error, `${file} was not written`, signal)
    } finally {
      progress?.end()
    }
  })
}

const fileLines = (files: Awaited<ReturnType<typeof exportFiles>>): string[] =>
  files === null
    ? []
    : [
        `${files.file}: ${grouped(files.files)} stored files of its pictures, videos and fonts, ${(files.bytes / 1_000_000).toFixed(1)} MB. Keep it beside the other one.`,
      ]

const leftLines = (left: readonly LeftBehind[]): string[] =>
  left.length === 0 ? [] : [`Not in it: ${left.map(({ what, count }) => `${what} (${count})`).join(', ')}.`]

const keyLine = (passphrase: string | null): string =>
  passphrase === null
    ? 'Stored credentials in it open only with the same SVC_MASTER_KEY (or master.key).'
    : 'Stored credentials in it are encrypted with the passphrase.'

/** The passphrase in an environment variable: other users of a machine can read the command lines of its processes. */
export function readPassphrase({ env }: Io, name: string | undefined): string | null {
  if (name === undefined) return null
  const passphrase = env[name] ?? ''
  if (passphrase.length < MIN_PASSPHRASE)
    throw new UsageError(
      `--passphrase-env names a variable with at least ${MIN_PASSPHRASE} characters; ${name} has fewer`,
    )
  return passphrase
}

const MIN_PASSPHRASE = 12

export function moveFailure(error: unknown, what: string, signal: AbortSignal): CommandFailure {
  const reason = signal.aborted ? 'the command was interrupted' : reasonOf(error)
  return new CommandFailure(isUnavailable(error) ? 'DATABASE_UNAVAILABLE' : 'HTTP_ERROR', `${what}: ${reason}.`)
}

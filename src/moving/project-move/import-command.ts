import { existsSync, statSync } from 'node:fs'
import { filesBeside } from '../../base/blobs/archive'
import { CommandFailure, type Io } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { grouped, type Progress, startProgress } from '../../base/cli/progress'
import { stopSignal } from '../../base/cli/storage'
import type { Context } from '../../base/context'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { listStaleAudiences } from '../../targeting/audiences/groups/service'
import { moveFailure, readPassphrase } from './export-command'
import { checkFiles, type ImportedFiles, importFiles } from './files'
import { type ImportedProject, importProjectFile } from './import'

interface Values {
  'passphrase-env'?: string | undefined
  replace?: boolean | undefined
  data?: string | undefined
  json?: boolean | undefined
}

interface Imported extends ImportedProject {
  files: ImportedFiles
  /** Audiences whose lists of ids must be sent again, because they were hashed with another master key. */
  staleLists: string[]
}

/** What `svc import` does with a file of a whole project. */
export async function runProjectImport(io: Io, file: string, values: Values): Promise<number> {
  const signal = stopSignal(io)
  const startedAtMs = monotonicMs()
  const imported = await withContext(io, values, async (ctx) => {
    const done = await importShown(ctx, io, file, { values, signal })
    const files = await importFiles(ctx, done.project.id, file, signal)
    const staleLists = await listStaleAudiences(ctx, done.project.id, ctx.state.memberHasher.fingerprint())
    return { ...done, files, staleLists }
  })
  const seconds = (monotonicMs() - startedAtMs) / SECOND
  if (values.json) io.out(JSON.stringify({ file, ...imported, seconds }))
  else for (const line of sentences(file, imported, seconds)) io.out(line)
  return 0
}

async function importShown(
  ctx: Context,
  io: Io,
  file: string,
  { values, signal }: { values: Values; signal: AbortSignal },
): Promise<ImportedProject> {
  const passphrase = readPassphrase(io, values['passphrase-env'])
  if (!existsSync(file)) throw new CommandFailure('NOT_FOUND', `There is no file ${file}.`)
  const shown = progressOf(io, file)
  try {
    await checkFiles(file, signal)
    return await importProjectFile(ctx, file, { passphrase, isReplacing: values.replace ?? false, signal, ...shown })
  } catch (error) {
    throw moveFailure(error, `${file} was not imported`, signal)
  } finally {
    shown.end()
  }
}

function progressOf(io: Io, file: string) {
  const total = Math.ceil(statSync(file).size / 1_000_000)
  const checking = startProgress(io, { label: 'Checking', unit: 'MB', total })
  let progress: Progress | undefined
  return {
    onBytes: (bytes: number) => checking.at(Math.floor(bytes / 1_000_000)),
    onRows: (done: number, rows: number) => {
      progress ??= startProgress(io, { label: 'Importing', unit: 'rows', total: rows })
      progress.at(done)
    },
    end: () => (progress ?? checking).end(),
  }
}

function sentences(file: string, imported: Imported, seconds: number): string[] {
  const { project, rows, digest, lost, files, staleLists } = imported
  const { added, absent } = imported.members
  return [
    `${file}: ${project.name} (${project.id}), ${grouped(rows)} rows in ${seconds.toFixed(1)} s.`,
    `Digest of the content: ${digest}`,
    ...(files.stored > 0 ? [`Stored files of pictures, videos and fonts: ${grouped(files.stored)}.`] : []),
    ...(files.missing > 0
      ? [
          `Not here: ${grouped(files.missing)} stored files. Put ${filesBeside(file)} beside the file and import again with --replace, or copy the folders assets/${project.id} and fonts/${project.id} of the file storage.`,
        ]
      : []),
    ...lost.map((what) => `Enter again: ${what}`),
    ...staleLists.map((name) => `Send again: the list of ids of the audience ${name}`),
    ...(added.length > 0 ? [`Members here too: ${added.join(', ')}.`] : []),
    ...(absent.length > 0 ? [`Without an account here, to be invited: ${absent.join(', ')}.`] : []),
    'Check with: svc doctor. On the former server, suspend the project, so that only one of them sends and renews.',
  ]
}

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, UsageError } from '../base/cli/command'
import { assertPresent } from '../base/cli/database-file'
import { machineEnvironment } from '../base/cli/installation'
import { grouped, type Progress, startProgress } from '../base/cli/progress'
import { reasonOf } from '../base/cli/reason'
import { stopSignal, withStorage } from '../base/cli/storage'
import { readConfig } from '../base/config'
import { type Written, writeDump } from '../base/db/dump-write'
import { isUnavailable } from '../base/db/errors'
import type { Storage } from '../base/db/handle'
import type { ErrorCode } from '../base/errors'
import { monotonicMs, SECOND } from '../base/lib/clock'
import { VERSION } from '../base/version'
import { erasedList } from '../moving/erasure/again'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'copy the whole database into one file, while the server runs',
  help: `
svc backup FILE [--force] [--data DIR] [--json]

  --force  replace FILE if it is there

Every table as it was at one moment, gzipped and with a check sum; svc restore puts it back, into a database of any
kind. Stored credentials stay sealed: keep SVC_MASTER_KEY, or master.key of the data folder, somewhere else.

Example: svc backup /var/backups/svc-$(date +%F).gz --data /var/lib/svc`,
  async run(args, io) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { data: { type: 'string' }, json: { type: 'boolean' }, force: { type: 'boolean' } },
    })
    const file = oneFile('backup', positionals)
    const config = readConfig(machineEnvironment(io, values), values)
    assertPresent(config)
    if (existsSync(file) && !values.force)
      throw new CommandFailure('CONFLICT', `${file} is there already; choose another name, or replace it with --force.`)
    const startedAtMs = monotonicMs()
    const written = await withStorage(io, config, (storage) =>
      backUp(storage, { file, erased: erasedList(config).read() }, io),
    )
    const seconds = (monotonicMs() - startedAtMs) / SECOND
    io.out(values.json ? JSON.stringify({ file, ...written, seconds }) : sentence(file, written, seconds))
    return 0
  },
}

/** The file that the command line names; a `UsageError` unless it names exactly one. */
export function oneFile(command: string, positionals: readonly string[]): string {
  const [file, ...more] = positionals
  if (file === undefined || file === '' || more.length > 0) throw new UsageError(`${command} takes one FILE`)
  return file
}

interface BackupOrder {
  file: string
  /** Who was erased so far. */
  erased: readonly object[]
}

async function backUp(storage: Storage, { file, erased }: BackupOrder, io: Io): Promise<Written> {
  let progress: Progress | undefined
  const onRows = (done: number, total: number) => {
    progress ??= startProgress(io, { label: 'Backing up', unit: 'rows', total })
    progress.at(done)
  }
  const signal = stopSignal(io)
  try {
    return await writeDump(storage, file, { version: VERSION, now: io.clock.now(), signal, onRows, erased })
  } catch (error) {
    throw new CommandFailure(codeOf(error), `${file} was not written: ${failureOf(error, signal)}.`)
  } finally {
    progress?.end()
  }
}

/** The code of a failed backup or restore: whether the database or the file is at fault. */
export const codeOf = (error: unknown): ErrorCode => (isUnavailable(error) ? 'DATABASE_UNAVAILABLE' : 'HTTP_ERROR')

/** Why a backup could not be written or read, in one sentence. */
export const failureOf = (error: unknown, signal: AbortSignal): string =>
  signal.aborted ? 'the command was interrupted' : reasonOf(error)

function sentence(file: string, { rows, bytes }: Written, seconds: number): string {
  return [
    `${file}: ${grouped(rows)} rows, ${(bytes / 1_000_000).toFixed(1)} MB, ${seconds.toFixed(1)} s.`,
    'Stored credentials in it open only with the same SVC_MASTER_KEY (or master.key), which is not in the backup.',
  ].join('\n')
}

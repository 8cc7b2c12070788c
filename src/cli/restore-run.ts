import { statSync } from 'node:fs'
import type { ArchiveTotals } from '../base/blobs/archive'
import { CommandFailure, type Io } from '../base/cli/command'
import { startProgress } from '../base/cli/progress'
import type { Config } from '../base/config'
import type { DumpHeader } from '../base/db/dump'
import { assertLoadable, checkDump, loadDump } from '../base/db/dump-load'
import { totalRows } from '../base/db/dump-write'
import type { Storage } from '../base/db/handle'
import { MigrationError, migrate } from '../base/db/migrate'
import { checkFilesBeside, restoreFiles } from './backup-files'
import { codeOf, failureOf } from './dump-failure'

interface Checked {
  header: DumpHeader
  /** Of the archive of stored files; null when there is none. */
  files: ArchiveTotals | null
}

/** Reads the backup and its stored files once. Throws a `CommandFailure`. */
export async function check(
  file: string,
  { io, signal, withoutFiles }: { io: Io; signal: AbortSignal; withoutFiles: boolean },
): Promise<Checked> {
  const total = Math.ceil(statSync(file).size / 1_000_000)
  const progress = startProgress(io, { label: 'Checking', unit: 'MB', total })
  try {
    const onBytes = (bytes: number) => progress.at(Math.floor(bytes / 1_000_000))
    const header = await checkDump(file, { signal, onBytes })
    return { header, files: withoutFiles ? null : await checkFilesBeside(file, header, signal) }
  } catch (error) {
    throw new CommandFailure(codeOf(error), `${file} was not restored: ${failureOf(error, signal)}.`)
  } finally {
    progress.end()
  }
}

interface FilesOrder extends Checked {
  config: Config
  file: string
  files: ArchiveTotals
}

/** Before the rows, so that none can name a file that is not there. An interruption leaves the database empty. */
export async function putFiles(
  storage: Storage,
  { config, file, header, files }: FilesOrder,
  { io, signal }: { io: Io; signal: AbortSignal },
): Promise<void> {
  try {
    await assertLoadable(storage, header)
    await restoreFiles(config, { file, files }, { io, signal })
  } catch (error) {
    if (error instanceof MigrationError || error instanceof CommandFailure) throw error
    throw new CommandFailure(codeOf(error), `${file} was not restored: ${failureOf(error, signal)}.`)
  }
}

/** Fills the empty database. Throws a `CommandFailure`. */
export async function load(
  storage: Storage,
  file: string,
  header: DumpHeader,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const progress = startProgress(io, { label: 'Restoring', unit: 'rows', total: totalRows(header) })
  try {
    await loadDump(storage, file, header, { signal, onRows: (done) => progress.at(done) })
  } catch (error) {
    if (error instanceof MigrationError) throw error
    throw new CommandFailure(codeOf(error), `${file} was not restored: ${failureOf(error, signal)}.`)
  } finally {
    progress.end()
  }
}

/** Applies the migrations that are newer than the backup, and returns their names. */
export async function upgrade(storage: Storage, signal: AbortSignal): Promise<string[]> {
  try {
    return await migrate(storage)
  } catch (error) {
    const reason = failureOf(error, signal)
    throw new CommandFailure(
      codeOf(error),
      `All rows are restored, but newer migrations are missing (${reason}); run: svc migrate`,
    )
  }
}

import { CommandFailure, type Io } from '../base/cli/command'
import { type Progress, startProgress } from '../base/cli/progress'
import { stopSignal, withStorage } from '../base/cli/storage'
import type { Config } from '../base/config'
import { type Written, writeDump } from '../base/db/dump-write'
import type { Storage } from '../base/db/handle'
import { toIso } from '../base/lib/time'
import { VERSION } from '../base/version'
import { erasedList } from '../moving/erasure/again'
import { backUpFiles, hasStoredFiles, removeFilesBeside, type SavedFiles } from './backup-files'
import { codeOf, failureOf } from './dump-failure'

export interface Made extends Written {
  /** Null where no files are stored, or where a bucket keeps them. */
  files: SavedFiles | null
}

/** Copies the database, and the stored files into a second file. Throws a `CommandFailure`. */
export async function backUpAll(config: Config, file: string, io: Io): Promise<Made> {
  const signal = stopSignal(io)
  const now = io.clock.now()
  try {
    const hasFiles = await hasStoredFiles(config)
    const order = { file, now, hasFiles, erased: erasedList(config).read() }
    const written = await withStorage(io, config, (storage) => backUp(storage, order, { io, signal }))
    if (!hasFiles) await removeFilesBeside(file)
    const files = hasFiles ? await backUpFiles(config, { file, backupAt: toIso(now) }, { io, signal }) : null
    return { ...written, files }
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(codeOf(error), `${file} was not written: ${failureOf(error, signal)}.`)
  }
}

interface BackupOrder {
  file: string
  now: number
  hasFiles: boolean
  /** Who was erased so far. */
  erased: readonly object[]
}

async function backUp(
  storage: Storage,
  { file, ...order }: BackupOrder,
  { io, signal }: { io: Io; signal: AbortSignal },
): Promise<Written> {
  let progress: Progress | undefined
  const onRows = (done: number, total: number) => {
    progress ??= startProgress(io, { label: 'Backing up', unit: 'rows', total })
    progress.at(done)
  }
  try {
    return await writeDump(storage, file, { version: VERSION, signal, onRows, ...order })
  } finally {
    progress?.end()
  }
}

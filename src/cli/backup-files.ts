import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type ArchiveTotals, checkArchive, filesBeside, restoreArchive, writeArchive } from '../base/blobs/archive'
import { openBlobs } from '../base/blobs/open'
import { CommandFailure, type Io } from '../base/cli/command'
import { startProgress } from '../base/cli/progress'
import type { Config } from '../base/config'
import { DumpError, type DumpHeader } from '../base/db/dump'

/** Whether a backup of this deployment includes stored files: those in a folder, but not those in a bucket. */
export const hasStoredFiles = async (config: Config): Promise<boolean> =>
  config.storage.kind === 'folder' && (await openBlobs(config).list('')).length > 0

export type SavedFiles = ArchiveTotals & { file: string }

/**
 * Copies the stored files into the archive of this backup. Called after the rows were copied, so that every row
 * finds its file.
 */
export async function backUpFiles(
  config: Config,
  { file, backupAt }: { file: string; backupAt: string },
  { io, signal }: { io: Io; signal: AbortSignal },
): Promise<SavedFiles> {
  const blobs = openBlobs(config)
  const keys = await blobs.list('')
  const path = filesBeside(file)
  const progress = startProgress(io, { label: 'Backing up', unit: 'files', total: keys.length })
  try {
    return { file: path, ...(await writeArchive(blobs, keys, path, { signal, backupAt, onFile: progress.at })) }
  } finally {
    progress.end()
  }
}

/** Of an earlier backup with files, which one without files has replaced. */
export const removeFilesBeside = (file: string): Promise<void> => rm(filesBeside(file), { force: true })

/**
 * Reads the archive of stored files of a backup once. Null when it has none. Throws a `DumpError` when they are missing, damaged,
 * or those of another backup.
 */
export async function checkFilesBeside(
  file: string,
  { hasFiles = false, createdAt }: DumpHeader,
  signal: AbortSignal,
): Promise<ArchiveTotals | null> {
  if (!hasFiles) return null
  const path = filesBeside(file)
  if (!existsSync(path))
    throw new DumpError(
      `its stored files are missing: put ${path} into the same folder, or leave them out with --without-files`,
    )
  const { backupAt, ...totals } = await naming(path, checkArchive(path, signal))
  if (backupAt !== createdAt) throw new DumpError(`${path} has the files of another backup`)
  return totals
}

/** Restores the files of an archive to the folder or bucket of this deployment. */
export async function restoreFiles(
  config: Config,
  { file, files }: { file: string; files: ArchiveTotals },
  { io, signal }: { io: Io; signal: AbortSignal },
): Promise<void> {
  if (config.storage.kind === 'none')
    throw new CommandFailure(
      'FEATURE_NOT_CONFIGURED',
      `${file} was not restored: it has stored files, and SVC_STORAGE_URL is off; leave them out with --without-files.`,
    )
  const progress = startProgress(io, { label: 'Restoring', unit: 'files', total: files.files })
  const path = filesBeside(file)
  try {
    await naming(path, restoreArchive(openBlobs(config), path, { signal, onFile: (done) => progress.at(done) }))
  } finally {
    progress.end()
  }
}

async function naming<Result>(path: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error) => {
    throw error instanceof DumpError ? new DumpError(`${path}: ${error.message}`, { cause: error }) : error
  })
}

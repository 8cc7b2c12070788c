import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type ArchiveTotals, filesBeside, readArchive, writeArchive } from '../../base/blobs/archive'
import { BLOB_KEY } from '../../base/blobs/blobs'
import type { Context } from '../../base/context'
import { DumpError } from '../../base/db/dump'
import type { Handle } from '../../base/db/handle'

/** A stored file that a row of the project names. */
export interface NamedFile {
  key: string
  /** The SHA-256 of its bytes or its prefix, in hex; null where the row does not know it. */
  sha256: string | null
}

declare module '../../base/state' {
  interface SliceHooks {
    /** The stored files of a project that move with it. */
    namedFiles: (handle: Handle, projectId: string) => Promise<NamedFile[]>
  }
}

/** The largest of them is a video of 50 MiB. */
const MOST_BYTES = 64 * 1024 * 1024

/** A row that another server wrote may name what is no key. */
async function listNamed(ctx: Context, projectId: string): Promise<NamedFile[]> {
  const all = await Promise.all((ctx.hooks.namedFiles ?? []).map((list) => list(ctx, projectId)))
  return all.flat().filter(({ key }) => BLOB_KEY.test(key))
}

/** Null where the project has no files; then nothing is beside its file. */
export async function exportFiles(
  ctx: Context,
  projectId: string,
  file: string,
  signal: AbortSignal,
): Promise<(ArchiveTotals & { file: string }) | null> {
  const keys = (await listNamed(ctx, projectId)).map(({ key }) => key)
  const path = filesBeside(file)
  if (keys.length === 0) {
    await rm(path, { force: true }) // Of an earlier export, which the new one replaces.
    return null
  }
  return { file: path, ...(await writeArchive(ctx.state.blobs, keys, path, { signal })) }
}

/** Reads the archive beside a file once without storing anything. Throws a `DumpError` when it is damaged. */
export async function checkFiles(file: string, signal: AbortSignal): Promise<void> {
  const path = filesBeside(file)
  if (!existsSync(path)) return
  try {
    await readArchive(path, { mostBytes: MOST_BYTES, signal }, async () => {})
  } catch (error) {
    throw error instanceof DumpError ? new DumpError(`${path}: ${error.message}`, { cause: error }) : error
  }
}

export interface ImportedFiles {
  stored: number
  /** Named by rows, and neither here nor in the archive. */
  missing: number
}

/** Stores what the rows of the project name, where the bytes are those that the rows know; everything else is left out. */
export async function importFiles(
  ctx: Context,
  projectId: string,
  file: string,
  signal: AbortSignal,
): Promise<ImportedFiles> {
  const wanted = new Map((await listNamed(ctx, projectId)).map((one) => [one.key, one]))
  const { blobs } = ctx.state
  let stored = 0
  const path = filesBeside(file)
  if (wanted.size > 0 && existsSync(path))
    await readArchive(path, { mostBytes: MOST_BYTES, signal }, async ({ key, sha256, bytes }) => {
      const named = wanted.get(key)
      if (!named || !sha256.startsWith(named.sha256 ?? '')) return
      await blobs.write(key, new Blob([new Uint8Array(bytes)]).stream())
      wanted.delete(key)
      stored++
    })
  let missing = 0
  for (const key of wanted.keys()) if ((await blobs.size(key)) === null) missing++
  return { stored, missing }
}

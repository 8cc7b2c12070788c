import { createHash } from 'node:crypto'
import { access, constants, type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { secureRandom } from '../lib/ids'
import type { StoredBlob } from './blobs'
import { assertBlobKey, available, type BlobPlace } from './place'

/** Blobs as files of a folder, which is made at the first write. Files are readable by their owner only. */
export const folderBlobs = (folder: string): BlobPlace => ({
  write: (key, bytes) => writeFile(pathOf(folder, key), bytes),
  read: (key, from = 0) => readFrom(pathOf(folder, key), from),
  size: (key) => sizeOf(pathOf(folder, key)),
  remove: (key) => removeFile(pathOf(folder, key)),
  list: async (prefix) =>
    (await listFiles(folder, folderOf(prefix))).filter((key) => key.startsWith(prefix) && !isPartial(key)).sort(),
  check: () => checkFolder(folder),
  sweepUnfinished: (before) => sweepUnfinished(folder, before),
})

function pathOf(folder: string, key: string): string {
  assertBlobKey(key)
  return join(folder, key)
}

/** No key names such a file, because a name in a key starts with a letter or a digit. */
const partialOf = (path: string): string =>
  join(dirname(path), `.${basename(path).slice(0, 100)}.partial-${Buffer.from(secureRandom(8)).toString('hex')}`)

const isPartial = (key: string): boolean => basename(key).startsWith('.')

/** Written beside its place and moved there when it is complete and synced. */
async function writeFile(path: string, bytes: ReadableStream<Uint8Array>): Promise<StoredBlob> {
  const partial = partialOf(path)
  try {
    const stored = await writePartial(partial, bytes)
    await available(() => rename(partial, path))
    await available(() => syncFolder(dirname(path)))
    return stored
  } catch (error) {
    await removeFile(partial).catch(() => {}) // The first error is the one to report.
    throw error
  }
}

async function writePartial(path: string, bytes: ReadableStream<Uint8Array>): Promise<StoredBlob> {
  const file = await available(() => create(path))
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      size += chunk.byteLength
      await available(() => file.writeFile(chunk))
    }
    await available(() => file.sync())
  } finally {
    await file.close()
  }
  return { bytes: size, sha256: hash.digest('hex') }
}

/** Tries a second time, because a removal may have taken the folder away between the two steps. */
async function create(path: string, isLast = false): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (isLast || !isMissing(error)) throw error
    return create(path, true)
  }
}

/** Afterwards a loss of power cannot undo the renaming. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

const sizeOf = (path: string): Promise<number | null> =>
  available(async () => {
    const found = await unlessMissing(stat(path))
    return found?.isFile() ? found.size : null
  })

const readFrom = async (path: string, from: number): Promise<ReadableStream<Uint8Array> | null> =>
  (await sizeOf(path)) === null ? null : Bun.file(path).slice(from).stream()

/** Also removes the folders that this empties, but not the uppermost one. */
async function removeFile(path: string): Promise<void> {
  await available(() => rm(path, { force: true }))
  await rmdir(dirname(path)).catch(() => {}) // It holds other files, or is already gone.
}

/** The folders of a prefix, so that the others need not be read. */
const folderOf = (prefix: string): string => prefix.slice(0, prefix.lastIndexOf('/') + 1)

/** Every file below the folder, or below one of the folders in it, in the form of a key. */
const listFiles = (folder: string, below = ''): Promise<string[]> =>
  available(async () => {
    const found = (await unlessMissing(readdir(join(folder, below), { recursive: true, withFileTypes: true }))) ?? []
    const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
    return paths.map((path) => path.slice(folder.length + 1))
  })

async function checkFolder(folder: string): Promise<void> {
  const found = await available(() => unlessMissing(stat(folder)))
  if (found === null) return available(() => access(dirname(folder), constants.W_OK).catch(ignoreMissing))
  await available(() => access(folder, constants.R_OK | constants.W_OK | constants.X_OK))
}

async function sweepUnfinished(folder: string, before: number): Promise<number> {
  let swept = 0
  for (const key of (await listFiles(folder)).filter(isPartial)) {
    const path = join(folder, key)
    const found = await available(() => unlessMissing(stat(path)))
    if (found === null || found.mtimeMs >= before) continue
    await removeFile(path)
    swept++
  }
  return swept
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}

const unlessMissing = async <Found>(work: Promise<Found>): Promise<Found | null> => {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

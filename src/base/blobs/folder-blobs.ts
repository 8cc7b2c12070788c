import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BLOB_KEY, type Blobs, BlobsUnavailable, type StoredBlob } from './blobs'

/** Blobs as files of a folder, which is made at the first write. Files are readable by their owner only. */
export const folderBlobs = (folder: string): Blobs => ({
  write: (key, bytes) => available(() => writeFile(pathOf(folder, key), bytes)),
  read: (key, from = 0) =>
    available(async () => ((await sizeOf(pathOf(folder, key))) === null ? null : readFrom(pathOf(folder, key), from))),
  size: (key) => available(() => sizeOf(pathOf(folder, key))),
  remove: (key) => available(() => rm(pathOf(folder, key), { force: true })),
  list: (prefix) => available(() => listFiles(folder, prefix)),
})

function pathOf(folder: string, key: string): string {
  if (!BLOB_KEY.test(key)) throw new RangeError(`"${key}" is not the key of a blob`)
  return join(folder, key)
}

async function available<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error) || !('code' in error)) throw error
    throw new BlobsUnavailable(error.message, { cause: error })
  }
}

/** Written beside its place and moved there when it is complete and synced. */
async function writeFile(path: string, bytes: ReadableStream<Uint8Array>): Promise<StoredBlob> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.partial-${crypto.randomUUID()}`
  try {
    const stored = await writePartial(partial, bytes)
    await rename(partial, path)
    return stored
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function writePartial(path: string, bytes: ReadableStream<Uint8Array>): Promise<StoredBlob> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      size += chunk.byteLength
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes: size, sha256: hash.digest('hex') }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const readFrom = (path: string, from: number) => Bun.file(path).slice(from).stream()

async function listFiles(folder: string, prefix: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    const keys = found.filter((one) => one.isFile()).map((one) => keyOf(folder, join(one.parentPath, one.name)))
    return keys.filter((key) => key.startsWith(prefix) && !key.includes('.partial-')).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const keyOf = (folder: string, path: string): string => path.slice(folder.length + 1)

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

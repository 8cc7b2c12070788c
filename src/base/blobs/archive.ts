import { createHash, type Hash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DumpError } from '../db/dump'
import { readDumpFile, writeDumpFile } from '../db/dump-file'
import { parseJson } from '../lib/json'
import { BLOB_KEY, type Blobs, type StoredBlob } from './blobs'

const FORMAT = 'svc-files'
const CHUNK_BYTES = 256 * 1024

const HeaderSchema = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Literal(1),
  /** The time of the backup that the files belong to. */
  backupAt: Type.Optional(Type.String()),
})
/** The lines of each file: its key, then its bytes in chunks, then their SHA-256. */
const LineSchema = Type.Union([
  Type.Object({ key: Type.String() }),
  Type.Object({ bytes: Type.String() }),
  Type.Object({ sha256: Type.String() }),
])

export interface ArchiveTotals {
  files: number
  /** Of the files, before they are packed. */
  bytes: number
}

/** The path of the archive of stored files that belongs to a backup or a moved project. */
export const filesBeside = (file: string): string => `${file}.files`

const lineOf = (line: object): string => `${JSON.stringify(line)}\n`

/** Writes stored files into one file, which is complete or not there. A key without a file is left out. */
export async function writeArchive(
  blobs: Blobs,
  keys: readonly string[],
  path: string,
  { signal, backupAt, onFile }: { signal: AbortSignal; backupAt?: string; onFile?: (done: number) => void },
): Promise<ArchiveTotals> {
  const totals = { files: 0, bytes: 0 }
  const header = { format: FORMAT, formatVersion: 1, ...(backupAt !== undefined && { backupAt }) }
  await writeDumpFile(path, archiveLines(blobs, keys, { header, totals, onFile }), signal)
  return totals
}

interface Writing {
  header: object
  totals: ArchiveTotals
  onFile: ((done: number) => void) | undefined
}

async function* archiveLines(
  blobs: Blobs,
  keys: readonly string[],
  { header, totals, onFile }: Writing,
): AsyncGenerator<string> {
  yield lineOf(header)
  for (const key of keys) {
    const stream = await blobs.read(key)
    if (stream === null) continue
    const hash = createHash('sha256')
    yield lineOf({ key })
    for await (const part of stream)
      for (let at = 0; at < part.length; at += CHUNK_BYTES) {
        const chunk = part.subarray(at, at + CHUNK_BYTES)
        hash.update(chunk)
        totals.bytes += chunk.length
        yield lineOf({ bytes: Buffer.from(chunk).toString('base64') })
      }
    yield lineOf({ sha256: hash.digest('hex') })
    totals.files++
    onFile?.(totals.files)
  }
}

export interface ArchivedFile {
  key: string
  sha256: string
  /** The whole file, of at most `mostBytes`. */
  bytes: Buffer
}

/**
 * Reads the files of an archive, one after the other. Throws a `DumpError` where it is no archive or a file is longer than
 * `mostBytes`, and at its end when something is missing or was changed.
 */
export async function readArchive(
  path: string,
  { mostBytes, signal }: { mostBytes: number; signal: AbortSignal },
  onFile: (file: ArchivedFile) => Promise<void>,
): Promise<void> {
  await readParts(path, signal, (key) => {
    const chunks: Buffer[] = []
    let length = 0
    return {
      add(chunk) {
        length += chunk.length
        if (length > mostBytes) throw new DumpError('a file in it is larger than any that svc stores')
        chunks.push(chunk)
      },
      complete: (sha256) => onFile({ key, sha256, bytes: Buffer.concat(chunks) }),
    }
  })
}

/** Reads an archive once without storing anything, in parts. Throws a `DumpError` as `readArchive` does. */
export async function checkArchive(path: string, signal: AbortSignal): Promise<ArchiveTotals & { backupAt?: string }> {
  const totals = { files: 0, bytes: 0 }
  const { backupAt } = await readParts(path, signal, () => ({
    add(chunk) {
      totals.bytes += chunk.length
    },
    complete() {
      totals.files++
    },
  }))
  return { ...totals, ...(backupAt !== undefined && { backupAt }) }
}

/**
 * Stores the files of an archive, in parts of each. A file that is not as it was written is not stored. Throws a
 * `DumpError` as `readArchive` does, and `BlobsUnavailable` where they cannot be stored.
 */
export async function restoreArchive(
  blobs: Blobs,
  path: string,
  { signal, onFile }: { signal: AbortSignal; onFile: (done: number) => void },
): Promise<void> {
  let done = 0
  await readParts(path, signal, (key) => {
    const sink = storing(blobs, key)
    return {
      ...sink,
      complete: async () => {
        await sink.complete()
        onFile(++done)
      },
    }
  })
}

function storing(blobs: Blobs, key: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const stored: Promise<StoredBlob> = blobs.write(key, readable)
  stored.catch(() => {}) // It is awaited with the next part.
  // A place that takes no more parts has an error, and would let the next part wait for ever.
  const taken = async (work: Promise<void>): Promise<void> => {
    work.catch(() => {})
    await Promise.race([stored, work]).catch(async (error) => {
      await stored
      throw error
    })
  }
  return {
    add: (chunk: Buffer) => taken(writer.write(new Uint8Array(chunk))),
    complete: async () => {
      await taken(writer.close())
      await stored
    },
    abort: async (error: unknown) => {
      writer.abort(error).catch(() => {}) // It may wait for a part that nothing takes.
      await stored.catch(() => {})
    },
  }
}

/** What happens with the bytes of one file. */
interface Sink {
  add(chunk: Buffer): Promise<void> | void
  /** All bytes are there, and have this digest. */
  complete(sha256: string): Promise<void> | void
  /** The archive is cut off or damaged. */
  abort?(error: unknown): Promise<void>
}

type Header = Static<typeof HeaderSchema>

async function readParts(path: string, signal: AbortSignal, begin: (key: string) => Sink): Promise<Header> {
  const reader = new ArchiveReader(begin)
  try {
    await readDumpFile(path, (block) => reader.take(block), { signal })
    return reader.end()
  } catch (error) {
    await reader.abort(error)
    throw error
  }
}

interface OpenFile {
  sink: Sink
  hash: Hash
}

class ArchiveReader {
  private header: Header | null = null
  private open: OpenFile | null = null

  constructor(private readonly begin: (key: string) => Sink) {}

  async take(block: Buffer): Promise<void> {
    for (const text of block.toString().split('\n')) if (text !== '') await this.takeLine(parseJson(text))
  }

  end(): Header {
    if (this.header === null || this.open !== null) throw damaged()
    return this.header
  }

  async abort(error: unknown): Promise<void> {
    await this.open?.sink.abort?.(error)
  }

  private async takeLine(line: unknown): Promise<void> {
    if (this.header === null) {
      if (!Value.Check(HeaderSchema, line)) throw new DumpError('it does not hold files of svc')
      this.header = line
      return
    }
    if (!Value.Check(LineSchema, line)) throw damaged()
    if ('key' in line) this.start(line.key)
    else if (this.open === null) throw damaged()
    else if ('bytes' in line) await this.add(this.open, Buffer.from(line.bytes, 'base64'))
    else await this.complete(this.open, line.sha256)
  }

  private start(key: string): void {
    if (this.open !== null || !BLOB_KEY.test(key)) throw damaged()
    this.open = { sink: this.begin(key), hash: createHash('sha256') }
  }

  private async add({ sink, hash }: OpenFile, chunk: Buffer): Promise<void> {
    hash.update(chunk)
    await sink.add(chunk)
  }

  private async complete({ sink, hash }: OpenFile, sha256: string): Promise<void> {
    if (hash.digest('hex') !== sha256) throw damaged()
    this.open = null
    await sink.complete(sha256)
  }
}

const damaged = (): DumpError => new DumpError('it was changed or damaged after it was written')

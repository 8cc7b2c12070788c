import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { DumpError, type DumpFooter, footerLine, parseFooter } from './dump'

const GZIP_LEVEL = 4
const CHUNK_BYTES = 256 * 1024

/**
 * Writes lines and a footer into a gzip file and returns its size in bytes. The file gets its name only when it is
 * complete and synced to disk. Only its owner may read it.
 */
export async function writeDumpFile(path: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
  const folder = await mkdtemp(join(dirname(resolve(path)), `.${basename(path)}-`))
  const unfinished = join(folder, 'unfinished')
  try {
    const sink = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' })
    await pipeline(withFooter(lines), createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES }), sink, { signal })
    await sync(unfinished)
    await rename(unfinished, path)
    await sync(dirname(resolve(path)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return (await stat(path)).size
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

/** Adds the footer after the lines. The first line is the header; every other line is a row. */
async function* withFooter(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let lines = 0
  for await (const text of texts) {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    lines += countLines(bytes)
    yield bytes
  }
  yield Buffer.from(footerLine({ rows: lines - 1, sha256: hash.digest('hex') }))
}

export interface ReadOptions {
  signal: AbortSignal
  /** Called from time to time with the number of bytes read. */
  onBytes?: ((bytes: number) => void) | undefined
}

/**
 * Reads a backup's lines without its footer, as blocks of whole lines. Throws a `DumpError` at the end when something
 * is missing or was changed. The caller must then undo what it did with the lines before.
 */
export async function readDumpFile(
  path: string,
  onLines: (block: Buffer) => Promise<void> | void,
  { signal, onBytes }: ReadOptions,
): Promise<DumpFooter> {
  const scan = new Scan(onLines)
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const eat = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      await scan.take(chunk)
      onBytes?.(source.bytesRead)
    }
  }
  await pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), eat, { signal }).catch(explain)
  return scan.end()
}

const NEWLINE = 10

/** Holds back the last line, because only the end of the file shows that it is the footer. */
class Scan {
  private readonly hash = createHash('sha256')
  private lines = 0
  private held: Buffer = Buffer.alloc(0)

  constructor(private readonly onLines: (block: Buffer) => Promise<void> | void) {}

  async take(chunk: Buffer): Promise<void> {
    const all = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk])
    const lastLine = all.length < 2 ? 0 : all.lastIndexOf(NEWLINE, all.length - 2) + 1
    this.held = Buffer.from(all.subarray(lastLine))
    if (lastLine === 0) return
    const block = all.subarray(0, lastLine)
    this.hash.update(block)
    this.lines += countLines(block)
    await this.onLines(block)
  }

  end(): DumpFooter {
    const footer = this.held.at(-1) === NEWLINE ? parseFooter(this.held.toString()) : null
    if (footer === null) throw new DumpError('its end is missing')
    const { rows, sha256 } = footer
    if (rows !== this.lines - 1 || sha256 !== this.hash.digest('hex'))
      throw new DumpError('it was changed or damaged after it was written')
    return footer
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

function explain(error: unknown): never {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'Z_BUF_ERROR') throw new DumpError('its end is missing', { cause: error })
  if (typeof code === 'string' && code.startsWith('Z_'))
    throw new DumpError(`it is not a backup of svc, or is damaged (${message})`, { cause: error })
  throw error
}

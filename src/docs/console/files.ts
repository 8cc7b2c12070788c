import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of the console, by the paths of its encodings. Texts are there gzipped and with brotli; fonts as they are. */
export interface ConsoleFile {
  type: string
  /** The tag of its content, whichever its encoding. */
  etag: string
  plain?: string
  gzip?: string
  brotli?: string
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  woff2: 'font/woff2',
}

/** Where the built console lies: inside the executable, or in `dist/console` of the source tree. */
const FOLDERS = [join(import.meta.dir, 'console'), join(import.meta.dir, '../../../dist/console')]

/**
 * The built console by the names of its files. Empty when it was not built, as in most tests. Nothing is read before it
 * is asked for: most servers serve many calls and few consoles.
 */
export function listConsole(): ReadonlyMap<string, ConsoleFile> {
  const folder = FOLDERS.find((one) => existsSync(join(one, 'index.html.gz')))
  const files = new Map<string, ConsoleFile>()
  if (folder === undefined) return files
  for (const name of readdirSync(folder)) addFile(files, name, join(folder, name))
  return files
}

function addFile(files: Map<string, ConsoleFile>, name: string, path: string): void {
  const packed = /\.(gz|br)$/.exec(name)?.[1]
  const shown = packed === undefined ? name : name.slice(0, -3)
  const type = TYPES[shown.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const file = files.get(shown) ?? { type, etag: etagOf(shown, path) }
  files.set(shown, file)
  if (packed === 'br') file.brotli = path
  else if (packed === 'gz') file.gzip = path
  else file.plain = path
}

/** The names of all files but the page are made of their content. */
const etagOf = (name: string, path: string): string =>
  `"${name === 'index.html' ? Bun.hash(readFileSync(path)).toString(36) : name}"`

export const contentOf = (path: string): Uint8Array<ArrayBuffer> => readFileSync(path)

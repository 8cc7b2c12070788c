import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../base/lib/hash'
import { VERSION } from '../../base/version'

/** The files of the built client by their names. */
export type ClientFiles = Readonly<Record<string, string>>

/** A file as it is served, packed and plain. */
export interface ServedFile {
  plain: Uint8Array<ArrayBuffer>
  packed: Uint8Array<ArrayBuffer>
  etag: string
}

/** The client of this server. */
export interface ServedClient {
  /** The version and what the files are made of: another build has another name. */
  name: string
  /** At an address of its own for each build. */
  pinned: ReadonlyMap<string, ServedFile>
  /** At an address that is the same for all builds. */
  latest: ReadonlyMap<string, ServedFile>
}

// Inside the executable, or in `dist/sdk` of the source tree.
const PLACES = [join(import.meta.dir, 'sdk'), join(import.meta.dir, '../../../dist/sdk')]

/** The files of the client. Null when it was not built. */
export function readClient(): ClientFiles | null {
  const path = PLACES.map((folder) => join(folder, 'client.json.gz')).find((one) => existsSync(one))
  return path === undefined
    ? null
    : (JSON.parse(Buffer.from(Bun.gunzipSync(readFileSync(path))).toString()) as ClientFiles)
}

const LATEST = ['svc.js', 'svc.iife.js']
const PINNED = [...LATEST, 'late.js', 'checkout.js']

/** The files for pages. The latest one loads its parts from the address of this build, so that both always fit. */
export function servedClient(files: ClientFiles | null): ServedClient | null {
  if (files === null) return null
  const name = `${VERSION}-${sha256Hex(PINNED.map((one) => files[one]).join('\0')).slice(0, 12)}`
  const toLatest = (text: string) => text.replaceAll('import("./', `import("./${name}/`)
  return {
    name,
    pinned: new Map(PINNED.map((one) => [one, served(files[one] ?? '')])),
    latest: new Map(LATEST.map((one) => [one, served(toLatest(files[one] ?? ''))])),
  }
}

function served(text: string): ServedFile {
  const plain = new Uint8Array(Buffer.from(text))
  return { plain, packed: Bun.gzipSync(plain, { level: 9 }), etag: `"${sha256Hex(text).slice(0, 32)}"` }
}

import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Io, UsageError } from '../../../base/cli/command'
import { parseJson } from '../../../base/lib/json'
import { MANIFEST } from '../../../insight/data-export/manifest'

const Manifest = Type.Object({
  format: Type.String(),
  files: Type.Array(Type.Object({ name: Type.String(), table: Type.String() })),
})

/** In the order in which they are read. The others are consequences of these, or have no import. */
const TABLES = ['subscribers', 'purchases']

/** A folder that `svc export-data` has written means its files with people and purchases. */
export const withFolders = (paths: readonly string[], io: Io): string[] =>
  paths.flatMap((path) => (existsSync(path) && statSync(path).isDirectory() ? filesOf(path, io) : [path]))

function filesOf(folder: string, io: Io): string[] {
  const { format, files } = readManifest(folder)
  if (format === 'parquet')
    throw new UsageError(`${folder} is an export as Parquet; export as csv or jsonl to import it`)
  const wanted = TABLES.flatMap((table) => files.filter((file) => file.table === table))
  if (wanted.length === 0) throw new UsageError(`${folder} is an export without subscribers and purchases`)
  const left = [...new Set(files.map(({ table }) => table))].filter((table) => !TABLES.includes(table))
  if (left.length > 0) io.err(`Left out of ${folder}, because imports have no such rows: ${left.join(', ')}.`)
  return wanted.map(({ name }) => join(folder, basename(name)))
}

function readManifest(folder: string) {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) throw new UsageError(`${folder} is a folder without ${MANIFEST}, so no complete export`)
  const manifest: unknown = parseJson(readFileSync(path, 'utf8'))
  if (!Value.Check(Manifest, manifest)) throw new UsageError(`${path} is not of svc export-data`)
  return manifest
}

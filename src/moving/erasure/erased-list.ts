import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parseJson } from '../../base/lib/json'
import type { ErasedKeyRow, KeyHasher } from '../../people/subscribers/erased-keys'

export const ERASED_LIST = 'erased.list'

/** One key of a person who was erased. Neither the key nor the person can be read from it without the master key. */
const LineSchema = Type.Object({
  /** Identifies the master key that the hash was made with. */
  key: Type.String(),
  project: Type.String(),
  /** The same for all keys of a person: the hash of the id of the row that answers for them. */
  person: Type.String(),
  kind: Type.Union([Type.Literal('DEVICE'), Type.Literal('LABEL'), Type.Literal('SUBSCRIBER')]),
  hash: Type.String(),
  at: Type.Integer(),
})

export type ErasedLine = Static<typeof LineSchema>

/**
 * The file beside the database that says who was erased. It outlives the database: after the restore of an older backup
 * it says who has to be erased again. Several processes may append to it.
 */
export class ErasedList {
  readonly path: string

  constructor(
    dataDir: string,
    private readonly hasher: () => Pick<KeyHasher, 'hash' | 'fingerprint'>,
  ) {
    this.path = join(dataDir, ERASED_LIST)
  }

  /** Writes those that are not in the file yet, and syncs it to the disk before it returns. */
  append(rows: readonly ErasedKeyRow[]): void {
    const hasher = this.hasher()
    const key = hasher.fingerprint()
    const personOf = (row: ErasedKeyRow) => hasher.hash(row.projectId, { kind: 'SUBSCRIBER', value: row.subscriberId })
    this.add(
      rows.map((row) => ({
        ...{ key, project: row.projectId, person: personOf(row), kind: row.kind, hash: row.hash, at: row.erasedAt },
      })),
    )
  }

  /** Like `append`, for lines of another list. */
  add(lines: readonly ErasedLine[]): void {
    const known = new Set(this.read().map(nameOf))
    const fresh = lines.filter((line) => !known.has(nameOf(line)))
    if (fresh.length === 0) return
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const file = openSync(this.path, 'a', 0o600)
    try {
      // Starts with a line end: what a crash has left unfinished must not swallow the next line.
      writeSync(file, `\n${fresh.map((line) => JSON.stringify(line)).join('\n')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  /** Everything in the file, also lines of another master key. Other text is left out. */
  read(): ErasedLine[] {
    return parseLines(readText(this.path))
  }

  /** The lines whose hashes this master key has made. */
  readOwn(): ErasedLine[] {
    const key = this.hasher().fingerprint()
    return this.read().filter((line) => line.key === key)
  }
}

export const nameOf = ({ key, project, kind, hash }: ErasedLine): string => `${key} ${project} ${kind} ${hash}`

/** Those of the values that are lines of a list. */
export const readLines = (values: readonly unknown[]): ErasedLine[] =>
  values.filter((value): value is ErasedLine => Value.Check(LineSchema, value))

const parseLines = (text: string): ErasedLine[] => readLines(text.split('\n').filter(Boolean).map(parseJson))

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return ''
    throw error
  }
}

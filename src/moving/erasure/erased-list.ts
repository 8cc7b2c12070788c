import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ErasedKeyRow } from '../../people/subscribers/erased-keys'

export const ERASED_LIST = 'erased.list'

/** One key of somebody who was erased. Neither the key nor the person can be told from it without the master key. */
const LineSchema = Type.Object({
  /** Identifies the master key that the hash was made with. */
  key: Type.String(),
  project: Type.String(),
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
    private readonly fingerprint: () => string,
  ) {
    this.path = join(dataDir, ERASED_LIST)
  }

  /** Writes those that are not in the file yet, and syncs it to the disk before it returns. */
  append(rows: readonly Pick<ErasedKeyRow, 'projectId' | 'kind' | 'hash' | 'erasedAt'>[]): void {
    const key = this.fingerprint()
    this.add(rows.map(({ projectId, kind, hash, erasedAt }) => ({ key, project: projectId, kind, hash, at: erasedAt })))
  }

  /** Like `append`, for lines of another list. */
  add(lines: readonly ErasedLine[]): void {
    const known = new Set(this.read().map(nameOf))
    const fresh = lines.filter((line) => !known.has(nameOf(line)))
    if (fresh.length === 0) return
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const file = openSync(this.path, 'a', 0o600)
    try {
      // Begins with a line end: what a crash has left unfinished must not swallow the next line.
      writeSync(file, `\n${fresh.map((line) => JSON.stringify(line)).join('\n')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  /** Everything in the file, also lines of another master key. What is no line is left out. */
  read(): ErasedLine[] {
    return parseLines(readText(this.path))
  }

  /** The lines whose hashes this master key has made. */
  readOwn(): ErasedLine[] {
    const key = this.fingerprint()
    return this.read().filter((line) => line.key === key)
  }
}

export const nameOf = ({ key, project, kind, hash }: ErasedLine): string => `${key} ${project} ${kind} ${hash}`

function parseLines(text: string): ErasedLine[] {
  const lines: ErasedLine[] = []
  for (const line of text.split('\n')) {
    const parsed = line === '' ? null : parseJson(line)
    if (Value.Check(LineSchema, parsed)) lines.push(parsed)
  }
  return lines
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return ''
    throw error
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

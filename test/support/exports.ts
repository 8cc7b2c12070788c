import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportCommand } from '../../src/insight/data-export/command'
import type { Stage } from './cast'
import { atEnd } from './cleanup'
import { type Ran, runBeside } from './command'

/** A folder that goes when the tests end. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-exports-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Exported {
  folder: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests read members of the manifest's JSON.
  manifest: any
  /** Content by file name. */
  files: Map<string, Buffer>
  ran: Ran
}

export const runExport = (s: Stage, ...args: string[]): Promise<Ran> =>
  runBeside(s, exportCommand, ...args, ...(args.includes('--project') ? [] : ['--project', s.project.id]))

/** Runs an export of the stage's project into a folder, and reads what it wrote. */
export async function exported(s: Stage, ...args: string[]): Promise<Exported> {
  const to = args.includes('--to') ? [] : ['--to', freshFolder()]
  const ran = await runExport(s, '--json', ...to, ...args)
  if (ran.code !== 0) throw new Error(`the export failed: ${ran.err}`)
  const { folder } = JSON.parse(ran.out)
  return { ...readExport(folder), ran }
}

export function readExport(folder: string): Omit<Exported, 'ran'> {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
  return { folder, files, manifest: JSON.parse(files.get('manifest.json')?.toString() ?? '') }
}

/** The rows of a table in JSON Lines, of all its files. */
// biome-ignore lint/suspicious/noExplicitAny: the rows have as many shapes as there are tables.
export function jsonRows({ files }: Pick<Exported, 'files'>, table: string): any[] {
  const names = [...files.keys()].filter((name) => name.startsWith(`${table}-`)).sort()
  const text = names.map((name) => files.get(name)?.toString() ?? '').join('')
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
}

/** The rows of a CSV text by the names of its header, with the apostrophes of harmless formulas taken away. */
export function csvRows(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text)
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  const row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const value = match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"')
    row.push(value.replace(/^'(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/, ''))
    if (match[3] === '\r\n') rows.push(row.splice(0))
  }
  return rows
}

export const modeOf = (path: string): number => statSync(path).mode & 0o777

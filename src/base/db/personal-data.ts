import { getTableName, type Table } from 'drizzle-orm'
import type { Hooks } from '../state'
import type { Tables } from './tables'

/**
 * What the rows of a table hold about the people who use the apps of a project, and what becomes of that when one of
 * them is erased. Staff of the operator are not meant: they delete their own accounts.
 *
 * `NOTHING`: no row is about one person. `ERASED`: the rows are deleted. `REDUCED`: the rows stay, without the columns
 * that tell anything about the person. `KEPT_WITHOUT_IDENTITY`: the rows stay, because money or counts depend on them;
 * what could identify the person is removed from them.
 */
export type PersonalData = 'NOTHING' | 'ERASED' | 'REDUCED' | 'KEPT_WITHOUT_IDENTITY'

/** The files of a data export, or why the rows of a table are in none. */
export type ExportedRows = ExportFile | readonly ExportFile[] | { withheld: string }

/** Those up to `requests.jsonl` are in wire 5.17; the others hold what has no place in them. */
export const EXPORT_FILES = [
  'subscriber.json',
  'attributes.json',
  'purchases.jsonl',
  'transactions.jsonl',
  'ledger.jsonl',
  'events.jsonl',
  'experiments.jsonl',
  'sessions.jsonl',
  'telemetry.jsonl',
  'funnels.jsonl',
  'requests.jsonl',
  'transfers.jsonl',
  'store-messages.jsonl',
  'deliveries.jsonl',
  'groups.jsonl',
  'imports.jsonl',
  'assistant.jsonl',
] as const

export type ExportFile = (typeof EXPORT_FILES)[number]

declare module '../state' {
  interface SliceHooks {
    /** Every table of the slice, by what it holds about people. */
    personalData: { readonly [Name in keyof Tables]?: PersonalData }
    /** Every table of the slice that holds something about people: where a person finds it in a data export. */
    exportedRows: { readonly [Name in keyof Tables]?: ExportedRows }
  }
}

/** What the manifests declare of a table. */
export interface DeclaredTable {
  /** The name of the table in the database. */
  name: string
  holds: PersonalData
  /** Null when the rows hold nothing. */
  exported: ExportedRows | null
}

/**
 * The declarations of all manifests, by the member of `Tables`. Throws, with all faults at once, when a table is declared
 * not at all or twice, or has no rule or several rules about its export.
 */
export function declaredTables(tables: Tables, hooks: Hooks): ReadonlyMap<keyof Tables, DeclaredTable> {
  const holds = entriesOf(hooks.personalData ?? [])
  const exported = entriesOf(hooks.exportedRows ?? [])
  const members = Object.keys(tables) as (keyof Tables)[]
  const faults = [
    ...repeated(holds).map((member) => `${member} is declared in personalData of two slices`),
    ...repeated(exported).map((member) => `${member} is declared in exportedRows of two slices`),
  ]
  const declared = new Map<keyof Tables, DeclaredTable>()
  for (const member of members) {
    const holding = holds.find(([name]) => name === member)?.[1]
    const files = exported.find(([name]) => name === member)?.[1] ?? null
    faults.push(...faultsOf(member, holding, files))
    if (holding) declared.set(member, { name: getTableName(tables[member] as Table), holds: holding, exported: files })
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return declared
}

const entriesOf = <Value>(declarations: readonly { readonly [name: string]: Value }[]): [string, Value][] =>
  declarations.flatMap((own) => Object.entries(own))

function repeated(entries: readonly [string, unknown][]): string[] {
  const names = entries.map(([name]) => name)
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
}

function faultsOf(member: string, holds: PersonalData | undefined, files: ExportedRows | null): string[] {
  if (!holds) return [`the slice of the table ${member} must declare in personalData what it holds about people`]
  if (holds === 'NOTHING') return files ? [`${member} holds nothing about people, but is declared in exportedRows`] : []
  return files ? [] : [`the slice of the table ${member} must declare in exportedRows where a data export has its rows`]
}

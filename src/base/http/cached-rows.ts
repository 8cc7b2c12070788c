import { getTableName, type Table } from 'drizzle-orm'
import type { ChangeListener, RowChange, RowListener } from '../db/change-listener'
import type { Tables } from '../db/tables'
import type { Hooks } from '../state'

export type { RowChange }

/** A table whose statements contain the ids of the rows from which answers are made. */
export interface NamedRows {
  /** Columns with such ids. A statement that selects rows by these columns changes no other rows. */
  columns: readonly string[]
  /** The prefixes of such ids. */
  idPrefixes: readonly string[]
  /** Statements that change no answer. */
  ignores?: RegExp
}

declare module '../state' {
  interface SliceHooks {
    /**
     * Which cached answers a change of one of the slice's tables affects. `NOBODY`: none, because no cached answer is
     * made from its rows, or because each change also raises the configuration's version. `NamedRows`: the answers of
     * the rows named. A change of a table that no slice declares drops every cached answer.
     */
    cachedRows: { readonly [Name in keyof Tables]?: 'NOBODY' | NamedRows }
  }
}

/** How to read the statements of a table. */
interface Reading {
  ids: RegExp
  /** Matches a condition that selects rows by ids that are among the statement's values. */
  picks: RegExp
  /** Matches a statement that may change other rows as well, or set ids that are not among its values. */
  unclear: RegExp
  ignores: RegExp | undefined
}

type Reach = 'NOBODY' | 'ANYBODY' | Reading

const TARGET = /^(insert into|update|delete from) "(\w+)"/i
const MAX_TEXTS = 1000
/** A placeholder as PostgreSQL writes it. */
const NUMBERED = /\$\d+/g

/**
 * Reads from the text of a statement which cached answers it may change. All statements pass through it, so that code
 * that writes need not report its changes. A statement that it does not understand counts as a change of all answers.
 */
export class CachedRows {
  private readonly tables = new Map<string, 'NOBODY' | Reading>()
  private readonly reaches = new Map<string, Reach>()
  private readonly ids: RegExp
  /** The tables whose changes may change an answer. */
  readonly watched: readonly string[]

  constructor(declared: ReadonlyMap<string, 'NOBODY' | NamedRows>, tables: readonly string[] = [...declared.keys()]) {
    this.watched = tables.filter((table) => declared.get(table) !== 'NOBODY')
    const named = [...declared.values()].filter((meaning) => meaning !== 'NOBODY')
    this.ids = startsWithAny(named.flatMap(({ idPrefixes }) => idPrefixes))
    for (const [table, meaning] of declared) this.tables.set(table, meaning === 'NOBODY' ? meaning : readingOf(meaning))
  }

  /** Whether changes of the row with this id can be recognised. */
  isRowId(id: string): boolean {
    return this.ids.test(id)
  }

  changeOf(sql: string, args: readonly unknown[]): RowChange {
    const reach = this.reachOf(sql)
    if (typeof reach === 'string') return reach
    const ids: string[] = []
    for (const value of args) if (typeof value === 'string' && reach.ids.test(value)) ids.push(value)
    return ids.length === 0 ? 'ANYBODY' : ids
  }

  /** The reach of a statement, from its text alone. It is remembered, because the same few hundred texts repeat. */
  private reachOf(sql: string): Reach {
    const known = this.reaches.get(sql)
    if (known) return known
    if (this.reaches.size >= MAX_TEXTS) this.reaches.clear()
    const reach = this.read(sql.replaceAll(NUMBERED, '?'))
    this.reaches.set(sql, reach)
    return reach
  }

  private read(sql: string): Reach {
    const [head = '', verb = '', table = ''] = TARGET.exec(sql) ?? []
    const reading = this.tables.get(table) ?? 'ANYBODY'
    if (typeof reading === 'string') return reading
    if (reading.ignores?.test(sql)) return 'NOBODY'
    const rest = sql.slice(head.length)
    if (reading.unclear.test(rest)) return 'ANYBODY'
    if (/^insert/i.test(verb)) return reading
    const start = rest.indexOf(' where ')
    return start !== -1 && reading.picks.test(rest.slice(start)) ? reading : 'ANYBODY'
  }
}

function readingOf({ columns, idPrefixes, ignores }: NamedRows): Reading {
  const column = `"(${columns.join('|')})"`
  return {
    ids: startsWithAny(idPrefixes),
    picks: new RegExp(`${column} (= \\?|in \\([?, ]+\\))`),
    unclear: new RegExp(`\\b(or|select|not|case|from|do update)\\b|'|${column} = [^?n]`, 'i'),
    ignores,
  }
}

const startsWithAny = (prefixes: readonly string[]): RegExp => new RegExp(`^(${prefixes.join('|') || '(?!)'})`)

/** The declarations of all manifests, by the name of the table in the database. Throws when two slices declare one. */
export function declaredRows(tables: Tables, hooks: Hooks): ReadonlyMap<string, 'NOBODY' | NamedRows> {
  const declared = new Map<string, 'NOBODY' | NamedRows>()
  for (const [member, meaning] of (hooks.cachedRows ?? []).flatMap((own) => Object.entries(own))) {
    const name = getTableName(Reflect.get(tables, member) as Table) // The name is type-checked in the declaration.
    if (declared.has(name)) throw new Error(`two slices declare what changes of the table ${name} mean`)
    declared.set(name, meaning)
  }
  return declared
}

/** The names of all tables in the database. */
export const namesOf = (tables: Tables): string[] => Object.values(tables).map((table: Table) => getTableName(table))

interface Cache {
  forget(rowId: string): void
  clear(): void
}

/** Makes a cache drop the answers that a transaction may have changed. */
export function forgetChanged(rows: CachedRows, cache: Cache): ChangeListener & RowListener {
  let present: RowChange[] = []
  const changed = (change: RowChange): void => {
    if (change === 'ANYBODY') cache.clear()
    else if (change !== 'NOBODY') for (const id of change) cache.forget(id)
  }
  return {
    tables: rows.watched,
    changeOf: (sql, args) => rows.changeOf(sql, args),
    changed,
    changing(sql, args) {
      const change = rows.changeOf(sql, args)
      if (change !== 'NOBODY') present.push(change)
    },
    ended() {
      const all = present
      present = []
      if (all.includes('ANYBODY')) changed('ANYBODY')
      else changed([...new Set(all.flat())])
    },
  }
}

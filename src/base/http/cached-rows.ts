import { getTableName, type Table } from 'drizzle-orm'
import type { ChangeListener } from '../db/change-listener'
import type { Tables } from '../db/tables'
import type { Hooks } from '../state'

/** Whose cached answers a statement may change: those made of rows with these ids; or as far as it tells, anybody's. */
export type RowChange = 'NOBODY' | 'ANYBODY' | readonly string[]

/** A table whose statements name by id the rows that answers were made of. */
export interface NamedRows {
  /** Columns with such ids: a statement that picks rows out by their values touches no other rows. */
  columns: readonly string[]
  /** How such ids begin. */
  idPrefixes: readonly string[]
  /** Statements after which every answer is still true. */
  ignores?: RegExp
}

declare module '../state' {
  interface SliceHooks {
    /**
     * What changes of a slice's own tables mean for cached answers: nothing, because no such answer is made of their
     * rows or because the configuration's version moves with them; or those of the rows named. Changes of a table that
     * no slice declares drop every cached answer.
     */
    cachedRows: { readonly [Name in keyof Tables]?: 'NOBODY' | NamedRows }
  }
}

/** A table as its statements are read. */
interface Reading {
  ids: RegExp
  /** The statement's condition picks rows out by ids among its values. */
  picks: RegExp
  /** It may pick out others as well, or give them ids that are not among its values. */
  unclear: RegExp
  ignores: RegExp | undefined
}

type Reach = 'NOBODY' | 'ANYBODY' | Reading

const TARGET = /^(insert into|update|delete from) "(\w+)"/i
const MAX_TEXTS = 1000

/**
 * Reads from any statement of ours which cached answers it may change. It stands where all statements pass, so that no
 * writer has to say it; what it does not understand may change anybody's.
 */
export class CachedRows {
  private readonly tables = new Map<string, 'NOBODY' | Reading>()
  private readonly reaches = new Map<string, Reach>()
  private readonly ids: RegExp

  constructor(declared: ReadonlyMap<string, 'NOBODY' | NamedRows>) {
    const named = [...declared.values()].filter((meaning) => meaning !== 'NOBODY')
    this.ids = startsWithAny(named.flatMap(({ idPrefixes }) => idPrefixes))
    for (const [table, meaning] of declared) this.tables.set(table, meaning === 'NOBODY' ? meaning : readingOf(meaning))
  }

  /** Whether changes name rows of this id. */
  isRowId(id: string): boolean {
    return this.ids.test(id)
  }

  changeOf(sql: string, args: readonly unknown[]): RowChange {
    const reach = this.reachOf(sql)
    if (typeof reach === 'string') return reach
    const ids = args.filter((value) => typeof value === 'string').filter((value) => reach.ids.test(value))
    return ids.length === 0 ? 'ANYBODY' : ids
  }

  /** By the text alone; the same few hundred come again and again. */
  private reachOf(sql: string): Reach {
    const known = this.reaches.get(sql)
    if (known) return known
    if (this.reaches.size >= MAX_TEXTS) this.reaches.clear()
    const reach = this.read(sql)
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

/** What all manifests declare, by the name of the table in the database. Throws for a table that two slices declare. */
export function declaredRows(tables: Tables, hooks: Hooks): ReadonlyMap<string, 'NOBODY' | NamedRows> {
  const declared = new Map<string, 'NOBODY' | NamedRows>()
  for (const [member, meaning] of (hooks.cachedRows ?? []).flatMap((own) => Object.entries(own))) {
    const name = getTableName(Reflect.get(tables, member) as Table) // Its name is checked where it is declared.
    if (declared.has(name)) throw new Error(`two slices declare what changes of the table ${name} mean`)
    declared.set(name, meaning)
  }
  return declared
}

/** Lets a cache of answers forget those that a transaction has changed. */
export function forgetChanged(rows: CachedRows, cache: { forget(rowId: string): void; clear(): void }): ChangeListener {
  let changed = new Set<string>()
  let isAnybody = false
  return {
    changing(sql, args) {
      const change = rows.changeOf(sql, args)
      if (change === 'NOBODY') return
      if (change === 'ANYBODY') isAnybody = true
      else for (const id of change) changed.add(id)
    },
    ended() {
      if (isAnybody) cache.clear()
      else for (const id of changed) cache.forget(id)
      isAnybody = false
      if (changed.size > 0) changed = new Set()
    },
  }
}

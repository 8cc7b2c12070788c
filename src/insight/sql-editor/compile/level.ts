import type { Node, SelectStmt } from 'libpg-query'
import { Rejection } from '../rejection'
import type { Binds } from './binds'
import type { DialectRules } from './dialect'
import { type Expr, madeOf, type SqlType } from './expr'
import type { Offset } from './offsets'

/** A value of the request, for `$1`, `$2` ... */
export type Parameter = string | number | boolean | null

export interface OutputColumn {
  readonly name: string
  readonly type: SqlType
  readonly texts: number
  readonly isLocal?: boolean
}

/** A query that was checked and written. Its columns are named `c1`, `c2` ... */
export interface Query {
  readonly sql: string
  readonly columns: readonly OutputColumn[]
  /** The columns of the queries around it that it uses. */
  readonly uses: Expr['uses']
  /** It ends with LIMIT or OFFSET. */
  readonly isLimited?: boolean
  /** What it ends with, where UNION, INTERSECT or EXCEPT may follow: one SELECT, or such a word with one. */
  readonly open?: 'select' | 'union' | 'intersect'
}

/** A common table expression, or a view of the project. */
export interface Source {
  /** The text after FROM. */
  readonly sql: string
  readonly columns: readonly (OutputColumn & { readonly sqlName: string })[]
}

export type Sources = ReadonlyMap<string, Source>

/** What is the same for all parts of one statement. */
export interface Compiler {
  readonly dialect: DialectRules
  readonly binds: Binds
  /** Milliseconds: what `now()` is. */
  readonly now: number
  /** The time zone of the project. */
  readonly timezone: string
  /** The offsets of a time zone, found once for a statement. */
  offsets(timezone: string): readonly Offset[]
  readonly parameters: readonly Parameter[]
  readonly views: Sources
  expression(node: Node | undefined, level: Level): Expr
  query(select: SelectStmt, outer: Level | null, sources: Sources): Query
  /** A name that nothing else in the statement has. */
  nextName(): string
}

/** A table of a FROM clause. */
export interface Relation {
  readonly name: string
  readonly sqlName: string
  readonly columns: Source['columns']
  /** Columns of USING, which the table before it has too. */
  readonly joined: ReadonlySet<string>
}

/** The part of a query that is being compiled: it decides what is allowed there. */
export type Clause = 'select' | 'from' | 'where' | 'group' | 'having' | 'order' | 'aggregate' | 'window'

/** One SELECT while it is compiled, within the ones around it. */
export class Level {
  clause: Clause = 'from'
  readonly relations: Relation[] = []
  /** The texts of the expressions of GROUP BY. */
  readonly groups = new Set<string>()

  constructor(
    readonly compiler: Compiler,
    readonly outer: Level | null,
    readonly sources: Sources,
  ) {}

  expression(node: Node | undefined, clause: Clause = this.clause): Expr {
    const before = this.clause
    this.clause = clause
    try {
      return this.compiler.expression(node, this)
    } finally {
      this.clause = before
    }
  }

  column(table: string | null, name: string, location: number | undefined): Expr {
    for (let level: Level | null = this; level !== null; level = level.outer) {
      const found = level.find(table, name, location)
      if (found) return found
    }
    const what = table === null ? `column "${name}"` : `column "${name}" of "${table}"`
    throw new Rejection('syntax', `There is no ${what} here`, location)
  }

  columnOf({ sqlName, columns }: Relation, index: number): Expr {
    const column = columns[index]
    if (!column) throw new Error('a relation has no such column')
    const sql = `${sqlName}.${column.sqlName}`
    const uses = this.groups.has(sql) ? [] : [{ level: this, name: column.name }]
    const json = column.type === 'json' ? { json: { column: sql, path: [] } } : {}
    const local = column.isLocal ? { isLocal: true } : {}
    return madeOf([], { sql, type: column.type, texts: column.texts, uses, ...json, ...local })
  }

  /** Whether an aggregate or a window function is refused at this place, and why. */
  refuseHere(what: 'aggregate' | 'window', location: number | undefined): void {
    const allowed: readonly Clause[] =
      what === 'aggregate' ? ['select', 'having', 'order', 'window'] : ['select', 'order']
    if (allowed.includes(this.clause)) return
    const name = what === 'aggregate' ? 'An aggregate function' : 'A window function'
    throw new Rejection('syntax', `${name} cannot stand here`, location)
  }

  private find(table: string | null, name: string, location: number | undefined): Expr | null {
    const found = this.relations
      .filter((relation) => table === null || relation.name === table)
      .flatMap((relation) =>
        relation.columns.flatMap((column, index) =>
          column.name === name && !(table === null && relation.joined.has(name)) ? [{ relation, index }] : [],
        ),
      )
    const [only, second] = found
    if (second) throw new Rejection('syntax', `The column "${name}" is ambiguous`, location)
    return only ? this.columnOf(only.relation, only.index) : null
  }
}

import type { SelectStmt } from 'libpg-query'
import { Rejection } from '../rejection'
import { toViews } from '../views/views'
import { Binds } from './binds'
import { type DialectRules, postgres, type QueryDialect, sqlite } from './dialect'
import { clickhouse } from './dialect-clickhouse'
import type { SqlType } from './expr'
import { expression } from './expressions'
import type { Compiler, Level, OutputColumn, Parameter, Query } from './level'
import { refuseDeep } from './nesting'
import { type Offset, offsetsOf } from './offsets'
import { selectQuery } from './select'

/** What a statement is compiled for. */
export interface Target {
  dialect: QueryDialect
  projectId: string
  now: number
  /** The time zone of the project. */
  timezone: string
  parameters: readonly Parameter[]
  /** No more rows than this are read. */
  maxRows: number
}

/** A statement of one database, whose every part was written by this compiler. */
export interface Compiled {
  sql: string
  values: readonly string[]
  columns: readonly { name: string; type: SqlType; isLocal?: boolean }[]
}

/** SELECTs of one statement, those that UNION joins counted too; and expressions inside each other. */
const MAX_QUERIES = 120
const MAX_DEPTH = 60

/**
 * Checks a query and writes it for a database. No text of the query becomes part of the statement: names are made anew,
 * texts are values beside the statement, and tables are the views of the project. Throws a `Rejection`.
 */
export function compile(select: SelectStmt, target: Target): Compiled {
  const onSqlite = write(select, { ...target, dialect: 'sqlite' })
  refuseDeep(onSqlite.sql)
  return target.dialect === 'sqlite' ? onSqlite : write(select, target)
}

function write(select: SelectStmt, { dialect, projectId, now, timezone, parameters, maxRows }: Target): Compiled {
  const rules = DIALECTS[dialect]
  const binds = new Binds(rules)
  const views = toViews(dialect, binds.add(projectId))
  const compiler = createCompiler({ dialect: rules, binds, now, timezone, parameters, views })
  const query = compiler.query(select, null, new Map())
  const shown = query.columns.map(
    (column, index) => `${shownAs(rules, column, `result.c${index + 1}`)} as c${index + 1}`,
  )
  const sql = `select ${shown.join(', ')} from (${query.sql}) as result limit ${maxRows}`
  const columns = query.columns.map(({ name, type, isLocal }) => ({
    ...{ name, type: type === 'null' ? ('text' as const) : type },
    ...(isLocal && { isLocal }),
  }))
  return { ...binds.complete(sql), columns }
}

function createCompiler(
  parts: Pick<Compiler, 'dialect' | 'binds' | 'now' | 'timezone' | 'parameters' | 'views'>,
): Compiler {
  const depth = { queries: 0, expression: 0, names: 0 }
  const zones = new Map<string, readonly Offset[]>()
  const compiler: Compiler = {
    ...parts,
    offsets(timezone) {
      const found = zones.get(timezone) ?? offsetsOf(timezone)
      zones.set(timezone, found)
      return found
    },
    nextName: () => `t${++depth.names}`,
    expression: (node, level: Level) => {
      refuseBeyond(++depth.expression, MAX_DEPTH)
      const found = expression(level, node)
      depth.expression--
      return found
    },
    query: (select, outer, sources): Query => {
      refuseBeyond(++depth.queries, MAX_QUERIES)
      return selectQuery(compiler, select, outer, sources)
    },
  }
  return compiler
}

function refuseBeyond(depth: number, most: number): void {
  if (depth > most) throw new Rejection('syntax', 'The query is nested too deeply or has too many parts')
}

/** Integers are read as text, because the SQLite driver would round large ones to a number. */
function shownAs({ name }: DialectRules, { type }: OutputColumn, column: string): string {
  const isText = type === 'integer' || type === 'time' || (type === 'json' && name === 'postgres')
  return isText ? `cast(${column} as text)` : column
}

const DIALECTS: Readonly<Record<QueryDialect, DialectRules>> = { sqlite, postgres, clickhouse }

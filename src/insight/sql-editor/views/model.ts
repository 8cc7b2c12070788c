import type { QueryDialect } from '../compile/dialect'
import type { SqlType } from '../compile/expr'

export interface ViewColumn {
  name: string
  type: Exclude<SqlType, 'null'>
  /** The value, from the tables of `from`. */
  sql(dialect: QueryDialect): string
}

/** A table of the query language. It has the rows of one project. */
export interface View {
  name: string
  description: string
  columns: readonly ViewColumn[]
  /** The text after FROM. `project` is the id of the project as a value of the statement. */
  from(dialect: QueryDialect, project: string): string
}

type Make = (name: string, sql?: string) => ViewColumn

const plain =
  (type: ViewColumn['type']): Make =>
  (name, sql = name) => ({ name, type, sql: () => sql })

export const text = plain('text')
export const integer = plain('integer')
export const time = plain('time')
export const boolean = plain('boolean')

/** JSON null is shown as null. */
export const json = (name: string, column = name): ViewColumn => ({
  name,
  type: 'json',
  sql: (dialect) => (dialect === 'postgres' ? `nullif(${column}, cast('null' as jsonb))` : `nullif(${column}, 'null')`),
})

const CLICKHOUSE_TYPES = { text: 'String', integer: 'Int64', time: 'Int64', boolean: 'Bool' } as const

const POSTGRES_TYPES = { text: 'text', integer: 'bigint', time: 'bigint', boolean: 'boolean' } as const

/** A member of a JSON column as a value of its own. */
export const member = (
  type: keyof typeof POSTGRES_TYPES,
  name: string,
  column: string,
  ...path: [string, ...string[]]
): ViewColumn => ({
  name,
  type,
  sql: (dialect) => {
    if (dialect === 'sqlite') return `(${column} ->> '$.${path.join('.')}')`
    const keys = path.map((key) => `'${key}'`).join(', ')
    if (dialect === 'clickhouse') return `JSONExtract(${column}, ${keys}, 'Nullable(${CLICKHOUSE_TYPES[type]})')`
    return `cast(${column} #>> '{${path.join(',')}}' as ${POSTGRES_TYPES[type]})`
  },
})

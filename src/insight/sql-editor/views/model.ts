import type { Dialect } from '../../../base/db/tables'
import type { SqlType } from '../compile/expr'

export interface ViewColumn {
  name: string
  type: Exclude<SqlType, 'null'>
  /** The value, from the tables of `from`. */
  sql(dialect: Dialect): string
}

/** A table of the query language. It has the rows of one project. */
export interface View {
  name: string
  description: string
  columns: readonly ViewColumn[]
  /** What stands after FROM. `project` is the id of the project as a value of the statement. */
  from(dialect: Dialect, project: string): string
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
  sql: (dialect) => (dialect === 'sqlite' ? `nullif(${column}, 'null')` : `nullif(${column}, cast('null' as jsonb))`),
})

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
  sql: (dialect) =>
    dialect === 'sqlite'
      ? `(${column} ->> '$.${path.join('.')}')`
      : `cast(${column} #>> '{${path.join(',')}}' as ${POSTGRES_TYPES[type]})`,
})

import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { REVISED } from '../../base/http/object-answer'
import { MAX_NAME, MAX_PARAMETERS, MAX_SQL } from './model'

const strict = { additionalProperties: false } as const
const textsOf = (description: string) => Type.Array(Type.String(), { description })

const Sql = Type.String({ minLength: 1, maxLength: MAX_SQL, description: 'One SELECT, or WITH and SELECT' })
const members = { name: Type.String({ minLength: 1, maxLength: MAX_NAME }), sql: Sql }

export const QueryListQuery = Type.Object(listQuery, strict)
export const SavedQueryBody = Type.Object(members, { ...strict, title: 'SavedQueryRequest' })
export const SavedQueryPatch = Type.Partial(Type.Object(members), { ...strict, title: 'SavedQueryChange' })
export const SavedQuerySchema = Type.Object(
  { id: Type.String(), name: Type.String(), sql: Type.String(), ...REVISED },
  { ...strict, title: 'SavedQuery' },
)

const ParameterSchema = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean(), Type.Null()])

export const ExecuteBody = Type.Object(
  {
    sql: Sql,
    parameters: Type.Optional(
      Type.Array(ParameterSchema, {
        maxItems: MAX_PARAMETERS,
        description: 'The values of $1, $2 …; always values, never text',
      }),
    ),
  },
  { ...strict, title: 'QueryRequest' },
)

const types = textsOf('Their types, in the same order: text, integer, number, boolean, time or json')

export const QueryResultSchema = Type.Object(
  {
    columns: textsOf('The names of the columns'),
    types,
    rows: Type.Array(Type.Array(Type.Unknown()), {
      description: 'Times are ISO 8601, JSON is text, money is integer micros beside its currency',
    }),
    rowCount: Type.Integer({ minimum: 0 }),
    truncated: Type.Boolean({ description: 'Whether there are more rows than 5000' }),
    elapsedMs: Type.Integer({ minimum: 0 }),
  },
  { ...strict, title: 'QueryResult' },
)

export const SchemaSchema = Type.Object(
  {
    tables: Type.Array(
      Type.Object(
        { name: Type.String(), description: Type.String(), columns: textsOf('The names of the columns'), types },
        { ...strict, title: 'QueryTable' },
      ),
    ),
    functions: textsOf('The functions that a query can call'),
  },
  { ...strict, title: 'QuerySchema' },
)

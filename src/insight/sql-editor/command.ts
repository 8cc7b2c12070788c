import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { stopSignal } from '../../base/cli/storage'
import { table } from '../../base/cli/table'
import { toCsvLine } from '../../base/http/csv'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { MAX_SQL, type QueryResult } from './model'
import { QueryResultSchema } from './operator-wire'

const options = {
  ...projectOptions,
  param: { type: 'string', multiple: true },
  format: { type: 'string' },
} as const

/** A newer server may answer more. */
const Result = Type.Omit(QueryResultSchema, [], { additionalProperties: true })

const FORMATS = ['table', 'csv', 'json'] as const
type Format = (typeof FORMATS)[number]

export const queryCommand: Command = {
  name: 'query',
  summary: 'one SELECT over the tables of a project',
  optionOf: { parameters: '--param' },
  help: `
svc query "SELECT ..." [--param VALUE]... [--format table|csv|json]
svc query -                                the query is piped in

Tables: subscribers, purchases, transactions, events, ledger, exposures, sessions, funnel_sessions, deliveries.
At most 8 seconds, 5000 rows and 32 MiB; the page of the guide "SQL" has the columns and functions.

  --project P    slug or id; needless with one project
  --param VALUE  the value of $1, $2 ... in this order; a text, also where a time or a number is expected
  --format F     table (default), csv or json; --json is --format json
  --data DIR
${remoteHelp(17)}

Example: svc query "select store, count(*) from purchases group by store order by 2 desc"`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const format = formatOf(values)
    const body = { sql: await textOf(positionals, io), parameters: values.param ?? [] }
    const order = { data: Result, body, signal: stopSignal(io) }
    const result = (await withProject(io, values, (project) =>
      project.call('POST', ['queries', 'execute'], order),
    )) as QueryResult // The schema leaves the names of the types open.
    print(io, format, result)
    if (result.truncated) io.err(`There are more rows; these are the first ${result.rowCount}.`)
    return 0
  },
}

function formatOf({ format, json }: { format?: string | undefined; json?: boolean | undefined }): Format {
  if (json && format !== undefined && format !== 'json') throw new UsageError('--json and --format exclude each other')
  const name = json ? 'json' : (format ?? 'table')
  const found = FORMATS.find((known) => known === name)
  if (found) return found
  throw new UsageError(`--format takes ${FORMATS.join(', ')}, not "${name}"`)
}

async function textOf([text, ...more]: readonly string[], io: Io): Promise<string> {
  if (text === undefined || more.length > 0) throw new UsageError('query takes one query, in quotes, or - for stdin')
  const sql = text === '-' ? ((await io.input?.()) ?? '') : text
  if (sql.trim() === '') throw new UsageError('query takes a query, not an empty text')
  if (sql.length > MAX_SQL) throw new UsageError(`a query has at most ${MAX_SQL} characters`)
  return sql
}

function print(io: Io, format: Format, result: QueryResult): void {
  io.out(format === 'json' ? JSON.stringify(result) : (format === 'csv' ? toCsv : toTable)(result))
}

const toCsv = ({ columns, rows }: QueryResult): string =>
  [columns, ...rows.map((row) => row.map(toCell))].map((line) => toCsvLine(line).trimEnd()).join('\n')

/** A line break in a value would break its row. */
const toTable = ({ columns, rows }: QueryResult): string =>
  table([columns, ...rows.map((row) => row.map((cell) => String(toCell(cell) ?? '').replace(/[\r\n]+/g, ' ')))])

/** An integer beyond 53 bits is its digits. */
function toCell(cell: unknown): string | number | boolean | null {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell
  return JSON.isRawJSON(cell) ? cell.rawJSON : null
}

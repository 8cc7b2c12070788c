import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import type { AnalyticsConfig } from '../../base/config'
import { SerialQueue } from '../../base/db/serial-queue'
import { AppError } from '../../base/errors'
import { monotonicMs } from '../../base/lib/clock'

/** The longest wait for an answer. A server closes a connection on which nothing is said for 30 s. */
const TIMEOUT_MS = 10_000
/** How long a database that does not answer is not asked again. */
const PAUSE_MS = 1000

/** What makes its answers those of the other databases. */
const SETTINGS: ClickHouseSettings = {
  final: 1,
  join_use_nulls: 1,
  aggregate_functions_null_for_empty: 1,
  cast_keep_nullable: 1,
  output_format_json_quote_64bit_integers: 1,
  prefer_column_name_to_alias: 1,
  wait_end_of_query: 1,
}

const WRITING: ClickHouseSettings = { wait_end_of_query: 1, async_insert: 0 }

/** A value beside the text of a statement. */
export type Value = string | number | bigint | boolean | null

/** One row of a result. 64-bit integers are texts. */
export type ResultRow = unknown[]

/** The errors of ClickHouse about a wrong statement: a fault of this program. */
const OWN_FAULTS: ReadonlySet<string> = new Set(
  [1, 6, 27, 36, 42, 43, 44, 46, 47, 48, 49, 53, 62, 70, 117, 179, 184, 206, 207, 215, 258, 344, 386, 403].map(String),
)

/** The connection to ClickHouse. The library is loaded at the first use. */
export class Clickhouse {
  private opening: Promise<ClickHouseClient> | null = null
  private readonly queue = new SerialQueue()
  private downUntil = 0

  constructor(
    private readonly config: AnalyticsConfig,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Reads rows. 503 `ANALYTICS_UNREACHABLE` when there is no usable answer. */
  query(sql: string, params: readonly Value[] = [], settings: ClickHouseSettings = {}): Promise<ResultRow[]> {
    const { text, values } = withValues(sql, params)
    return this.ask(async (client) => {
      const answer = await client.query({
        query: text,
        format: 'JSONCompact',
        query_params: values,
        clickhouse_settings: { ...SETTINGS, max_execution_time: 8, ...settings },
      })
      return rowsOf(await answer.json())
    })
  }

  /** Runs a statement that gives no rows. */
  command(sql: string): Promise<void> {
    return this.ask(async (client) => {
      requireOwn(await client.command({ query: sql, clickhouse_settings: WRITING }))
    })
  }

  /** Each row is a list in JSON, with the values of these columns in their order. */
  async insert(table: string, columns: readonly string[], rows: readonly string[]): Promise<void> {
    if (rows.length === 0) return
    const names = columns.map((name) => `"${name}"`).join(', ')
    await this.command(`INSERT INTO "${table}" (${names}) FORMAT JSONCompactEachRow\n${rows.join('\n')}`)
  }

  /** One piece of work after the other, so that what is read is not changed by what is copied meanwhile. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.queue.run(work)
  }

  async close(): Promise<void> {
    await (await this.opening?.catch(() => null))?.close()
  }

  private async ask<Result>(work: (client: ClickHouseClient) => Promise<Result>): Promise<Result> {
    if (monotonicMs() < this.downUntil) throw unreachable(new Error('it did not answer a moment ago'))
    this.opening ??= this.open()
    const client = await this.opening
    try {
      return await work(client)
    } catch (error) {
      if (isOwnFault(error)) throw error
      if (!isAnswer(error)) this.downUntil = monotonicMs() + PAUSE_MS
      throw unreachable(error)
    }
  }

  private async open(): Promise<ClickHouseClient> {
    const { createClient } = await import('@clickhouse/client-web')
    const { origin, database, username, password } = this.config
    const log = { level: 127 } as never // Nothing: its lines have the statement, and ours are written where it matters.
    return createClient({ url: origin, database, username, password, request_timeout: this.timeoutMs, log })
  }
}

/** Something between that answers 200 to everything, or another server, would lose what is written. */
function requireOwn({ response_headers: headers }: { response_headers: Record<string, unknown> }): void {
  if (headers['x-clickhouse-summary'] === undefined) throw new Error('the answer is not one of ClickHouse')
}

/** One JSON document, so that an answer that ends too early is none. */
function rowsOf(answer: { data?: unknown; rows?: unknown }): ResultRow[] {
  const { data, rows } = answer
  if (Array.isArray(data) && data.length === rows) return data as ResultRow[]
  throw new Error('an answer without rows')
}

/** The error itself stays in the cause: it has no password, but it may have rows. */
const unreachable = (cause: unknown): AppError => new AppError('ANALYTICS_UNREACHABLE', undefined, { cause })

/** The number of what ClickHouse said; undefined when it said nothing. */
export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

/** Whether ClickHouse has ended a statement because it took too long or too much memory. */
export const isTooMuch = (error: unknown): boolean =>
  error instanceof AppError && /^(159|160|241)$/.test(String(codeOf(error.cause)))

const isAnswer = (error: unknown): boolean => /^\d+$/.test(String(codeOf(error)))

const isOwnFault = (error: unknown): boolean => OWN_FAULTS.has(String(codeOf(error)))

/** How many texts are sent beside a statement: they are part of the address. More of them are written into it. */
const MOST_VALUES = 50

/** The text with the names of its values instead of `$1`, `$2` ...; numbers and booleans are written into it. */
function withValues(sql: string, params: readonly Value[]) {
  const values: Record<string, string> = {}
  const isWritten = params.length > MOST_VALUES
  const text = sql.replace(/\$(\d+)\b/g, (_, digits: string) => {
    const value = params[Number(digits) - 1]
    if (value === null || value === undefined) return 'NULL'
    if (typeof value === 'boolean') return String(value)
    if (typeof value !== 'string') return value < 0 ? `(${value})` : String(value)
    if (isWritten) return literal(value)
    values[`p${digits}`] = value
    return `{p${digits}:String}`
  })
  return { text, values }
}

/** A text as a part of a statement. */
export const literal = (value: string): string => `'${value.replace(/[\\'\0]/g, escaped)}'`

const escaped = (sign: string): string => (sign === '\0' ? '\\0' : `\\${sign}`)

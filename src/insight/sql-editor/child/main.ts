import { setPriority } from 'node:os'
import { hasCode, isUnavailable } from '../../../base/db/errors'
import { AppError } from '../../../base/errors'
import { monotonicMs } from '../../../base/lib/clock'
import { compile } from '../compile/compile'
import { loadParser } from '../parse'
import { describeRejection, Rejection } from '../rejection'
import { isUnsupported } from './clickhouse'
import { outOfTime, type QueryHead, type QueryLimits, type QueryRequest } from './protocol'
import { type Cell, writeResult } from './result'

/** Purchases come before queries. */
const PRIORITY = 10
const WATCH_MS = 20

/**
 * The process of one query. It reads the request from stdin, writes the answer to stdout and ends. It also ends at its
 * limits, and when stdin ends: then nobody waits for the answer. Its end is a kill in every case, because nothing else
 * ends a thread that is inside the database library.
 */
export async function runQueryProcess(): Promise<void> {
  const request = await readRequest()
  const { timeMs, memoryBytes } = request.limits
  const answering = new Answering()
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes) void answering.end(outOfMemory())
  }, WATCH_MS)
  try {
    const parse = await loadParser()
    // The start of the process is not the time of the query: on a busy server it can be the longer one.
    setTimeout(() => void answering.end(outOfTime(timeMs)), timeMs)
    lowerPriority()
    const { rowCount, text } = await answer(request, parse)
    await answering.end({ kind: 'ok', rowCount }, text)
  } catch (error) {
    await answering.end(headOf(request, error))
  }
}

/** The end of the process. The first one counts: a limit can be reached while the answer is being written. */
class Answering {
  private hasEnded = false

  async end(head: QueryHead, text = ''): Promise<void> {
    if (this.hasEnded) return
    this.hasEnded = true
    await Bun.write(Bun.stdout, `${JSON.stringify(head)}\n${text}`)
    process.kill(process.pid, 'SIGKILL')
  }
}

function lowerPriority(): void {
  try {
    setPriority(PRIORITY)
  } catch {
    // Not every system allows it, and the query runs without it too.
  }
}

async function answer(
  { sql, limits, database, ...request }: QueryRequest,
  parse: Awaited<ReturnType<typeof loadParser>>,
) {
  const dialect = DIALECT_OF[database.kind]
  const compiled = compile(parse(sql), { ...request, dialect, maxRows: limits.rows + 1 })
  const startedAt = monotonicMs()
  const rows = await read(database, compiled, limits)
  return writeResult(compiled, rows, limits, monotonicMs() - startedAt)
}

const DIALECT_OF = { file: 'sqlite', postgres: 'postgres', clickhouse: 'clickhouse' } as const

/** Only the driver that is needed is loaded. */
async function read(
  database: QueryRequest['database'],
  compiled: ReturnType<typeof compile>,
  limits: QueryLimits,
): Promise<Cell[][]> {
  if (database.kind === 'file') return (await import('./sqlite')).querySqlite(database.path, compiled, limits)
  if (database.kind === 'postgres') return (await import('./postgres')).queryPostgres(database.url, compiled, limits)
  return (await import('./clickhouse')).queryClickhouse(database.config, compiled, limits)
}

async function readRequest(): Promise<QueryRequest> {
  const { promise, resolve } = Promise.withResolvers<QueryRequest>()
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of Bun.stdin.stream()) {
      text += decoder.decode(chunk, { stream: true })
      if (text.endsWith('\n')) resolve(JSON.parse(text) as QueryRequest)
    }
    process.kill(process.pid, 'SIGKILL')
  }
  void read()
  return promise
}

const outOfMemory = (): QueryHead => ({
  kind: 'rejected',
  reason: 'memory',
  message: 'The query needs too much memory',
})

/** Faults of the data that a query meets, such as a sum beyond 64 bits. */
const DATA_FAULT = /integer overflow|malformed JSON|JSON path error|parser stack overflow|too large|too many/i

function headOf({ sql, limits, database }: QueryRequest, error: unknown): QueryHead {
  if (error instanceof Rejection)
    return { kind: 'rejected', reason: error.reason, message: describeRejection(sql, error) }
  if (database.kind === 'clickhouse') return clickhouseHead(error, limits)
  const message = error instanceof Error ? error.message : String(error)
  const has = (codes: RegExp) => hasCode(error, (code) => codes.test(code))
  if (has(/^(57014|55P03)$/)) return outOfTime(limits.timeMs)
  if (
    has(/^(SQLITE_NOMEM|SQLITE_TOOBIG|53200|53400|54000)/) ||
    /out of memory|too big|invalid memory alloc/i.test(message)
  )
    return outOfMemory()
  if (has(/^22\w{3}$/) || DATA_FAULT.test(message))
    return { kind: 'rejected', reason: 'syntax', message: `The query failed on its data: ${message}` }
  return { kind: 'failed', isUnavailable: isUnavailable(error), message }
}

const OUT_OF_TIME = /^(159|160|209)$/
const OUT_OF_MEMORY = /^(241|396|307)$/
const OUT_OF_RANGE = /^(70|69|153|321|407)$/

/** By the numbers of ClickHouse's errors. What it cannot run is no fault of the query. */
function clickhouseHead(error: unknown, limits: QueryLimits): QueryHead {
  const found = error instanceof AppError ? error.cause : error
  const message = found instanceof Error ? found.message : String(found)
  const code = String((found as { code?: unknown } | null)?.code ?? '')
  if (OUT_OF_TIME.test(code)) return outOfTime(limits.timeMs)
  if (OUT_OF_MEMORY.test(code)) return outOfMemory()
  if (OUT_OF_RANGE.test(code))
    return { kind: 'rejected', reason: 'syntax', message: 'The query failed on its data: integer out of range' }
  return { kind: isUnsupported(error) ? 'unsupported' : 'unreachable', message }
}

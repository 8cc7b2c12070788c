import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Session } from 'chdb'

// The engine of ClickHouse behind its HTTP protocol. A process of its own: `bun bridge.ts USER PASSWORD` prints its port.

const [, , USER = '', PASSWORD = ''] = process.argv
const session = new Session(mkdtempSync(join(tmpdir(), 'svc-clickhouse-')))

/** Names of requests' parameters that are not settings. */
const NO_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'role',
  'readonly',
  'wait_end_of_query',
])

const IS_INSERT = /^\s*insert\b/i

/** What goes wrong with the next insert: see `server.ts`. */
let fault = ''
let statements: string[] = []
let turn: Promise<unknown> = Promise.resolve()

class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(`Code: ${code}. DB::Exception: ${message}`)
  }
}

async function run(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const packed = new Uint8Array(await request.arrayBuffer())
  const body = new TextDecoder().decode(
    request.headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(packed) : packed,
  )
  const sql = [searchParams.get('query'), body].filter(Boolean).join('\n')
  statements.push(sql.slice(0, 5000))
  const isInsert = IS_INSERT.test(sql)
  if (fault === 'hang') return new Promise(() => {})
  if (fault === 'garbage') return new Response('<html>Bad gateway</html>', { status: 502 })
  if (fault === 'nonsense') return new Response('[[[', { status: 200 })
  if (fault === 'slow' && /^\s*select\b/i.test(sql))
    throw new Refusal(159, 'Timeout exceeded: elapsed 8 seconds. (TIMEOUT_EXCEEDED)')
  if (isInsert && fault === 'half') {
    fault = ''
    const lines = sql.split('\n')
    const half = lines.slice(0, 1 + Math.ceil((lines.length - 1) / 2)).join('\n')
    await query(half, searchParams)
    return new Response(new ReadableStream({ start: (stream) => stream.error(new Error('gone')) }))
  }
  if (isInsert && fault === 'late') {
    fault = ''
    await query(sql, searchParams)
    return new Response('Code: 999. DB::Exception: Session expired. (KEEPER_EXCEPTION)', {
      status: 500,
      headers: { 'x-clickhouse-exception-code': '999' },
    })
  }
  return respond(await query(sql, searchParams))
}

async function query(sql: string, params: URLSearchParams): Promise<string> {
  const database = params.get('database') ?? 'default'
  if (params.get('readonly') === '1' && !/^\s*(select|with)\b/i.test(sql))
    throw new Refusal(164, 'Cannot execute query in readonly mode. (READONLY)')
  const settings: string[] = []
  await session.queryAsync(`USE ${database}`)
  for (const [name, value] of params) {
    const text = value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
    if (name.startsWith('param_')) await session.queryAsync(`SET ${name} = '${text}'`)
    else if (!NO_SETTINGS.has(name)) settings.push(name)
    if (settings.at(-1) === name) await session.queryAsync(`SET ${name} = ${/^\d+$/.test(value) ? value : `'${text}'`}`)
  }
  try {
    const [, select = sql, format] = IS_INSERT.test(sql) ? [] : (/^(.*?)\s*\bFORMAT\s+(\w+)\s*;?\s*$/is.exec(sql) ?? [])
    const result = await (format ? session.queryAsync(select, { format }) : session.queryAsync(sql))
    return result.text()
  } finally {
    for (const name of settings) await session.queryAsync(`SET ${name} = DEFAULT`)
  }
}

const headers = { 'x-clickhouse-query-id': '1', 'x-clickhouse-summary': '{}' }
const respond = (text: string) => new Response(text, { headers })

function refused(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Refusal ? error.code : Number(/Code: (\d+)/.exec(message)?.[1] ?? 1)
  return new Response(message, {
    status: code === 516 ? 403 : code === 60 || code === 81 ? 404 : 500,
    headers: { ...headers, 'x-clickhouse-exception-code': String(code) },
  })
}

function isAllowed(request: Request): boolean {
  return request.headers.get('authorization') === `Basic ${btoa(`${USER}:${PASSWORD}`)}`
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 120,
  maxRequestBodySize: 512 * 1024 * 1024,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/test/fault') {
      fault = searchParams.get('kind') ?? ''
      return new Response('ok')
    }
    if (pathname === '/test/statements') {
      const found = statements
      statements = []
      return Response.json(found)
    }
    if (!isAllowed(request))
      return refused(new Refusal(516, `${USER}: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)`))
    const work = () => run(request).catch(refused)
    if (fault === 'hang') return work()
    const answer = turn.then(work)
    turn = answer.catch(() => {})
    return answer
  },
})
process.stdout.write(`${server.port}\n`)
process.on('SIGTERM', () => process.exit(0))

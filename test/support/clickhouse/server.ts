import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../cleanup'
import { realClockEnv } from '../process'

const LIBRARY = join(import.meta.dir, '../../../node_modules/@chdb/lib-linux-x64-gnu')

/** Why no ClickHouse can be started here; null when one can. A skipped test prints it. With CI=true there must be one. */
export function clickhouseMissing(): string | null {
  if (process.env.SVC_TEST_SKIP?.split(',').includes('clickhouse')) return 'SVC_TEST_SKIP names clickhouse'
  if (existsSync(LIBRARY) || process.env.CI === 'true') return null
  return 'the library of chdb has no build for this machine'
}

/**
 * `half`: half of the next insert arrives, then the connection breaks. `late`: the next insert is done and answers 500.
 * Until it is changed: `hang` answers nothing, `garbage` is an error page, `nonsense` an answer that cannot be read, and
 * `slow` ends every read at the limit of time.
 */
export type Fault = '' | 'half' | 'late' | 'hang' | 'garbage' | 'nonsense' | 'slow'

export interface ClickhouseServer {
  port: number
  /** Creates a database, and returns its address. */
  create(): Promise<string>
  query(sql: string, config: { database: string } | null): Promise<unknown[][]>
  fail(fault: Fault): Promise<void>
  /** The statements since the last call. */
  statements(): Promise<string[]>
  stop(): Promise<void>
}

const [USER, PASSWORD] = ['svc', 'p@ss:word/7']
let created = 0

/** The engine of ClickHouse in a process of its own, which ends with this one. */
export async function startClickhouse(): Promise<ClickhouseServer> {
  const command = [process.execPath, join(import.meta.dir, 'bridge.ts'), USER, PASSWORD]
  const child = Bun.spawn(['setpriv', '--pdeathsig=KILL', '--', ...command], {
    stdout: 'pipe',
    stderr: process.env.SHOW ? 'inherit' : 'ignore',
    env: realClockEnv(),
  })
  const kill = () => child.kill('SIGKILL')
  atEnd(kill)
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  if (!(port > 0)) throw new Error('the bridge to ClickHouse did not start')
  const origin = `http://127.0.0.1:${port}`
  const authorization = `Basic ${btoa(`${USER}:${PASSWORD}`)}`
  const send = async (sql: string, database: string): Promise<string> => {
    const answer = await fetch(`${origin}/?database=${database}`, {
      method: 'POST',
      body: sql,
      headers: { authorization },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text
  }
  return {
    port,
    async create() {
      const name = `db${++created}`
      await send(`create database ${name}`, 'default')
      return `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`
    },
    async query(sql, config) {
      const text = await send(`${sql} format JSONCompactEachRow`, config?.database ?? 'default')
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown[]]))
    },
    fail: async (fault) => void (await fetch(`${origin}/test/fault?kind=${fault}`)),
    statements: async () => (await (await fetch(`${origin}/test/statements`)).json()) as string[],
    async stop() {
      kill()
      await child.exited
    },
  }
}

import { SECOND } from '../../../base/lib/clock'
import { outOfTime, type QueryHead, type QueryRequest } from './protocol'

/** With this argument the executable is the process of one query. */
export const QUERY_PROCESS = '--query-process'

/** A query that runs. */
export interface RunningQuery {
  pid: number
  answer: Promise<QueryAnswer>
  /** Ends the process at once. */
  kill(): void
}

/** Null: the process ended without an answer, by a kill from outside or for lack of memory. */
export type QueryAnswer = { head: QueryHead; result: Uint8Array } | null

const NOTHING = new Uint8Array()

/** How much later than the process itself its time limit is watched from here: it must also start and end. */
const GRACE_MS = 10 * SECOND

/** Starts the process of a query. It gets no environment: the request has all that it needs. */
export function startQuery(request: QueryRequest): RunningQuery {
  const process = Bun.spawn(commandLine(), {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    env: {},
  })
  process.stdin.write(`${JSON.stringify(request)}\n`)
  process.stdin.flush()
  const kill = () => process.kill('SIGKILL')
  const { timeMs } = request.limits
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeMs + GRACE_MS)
  const answer = new Response(process.stdout)
    .bytes()
    .then(async (bytes) => {
      await process.exited
      return toAnswer(bytes) ?? (isLate ? { head: outOfTime(timeMs), result: NOTHING } : null)
    })
    .finally(() => clearTimeout(timer))
  return { pid: process.pid, answer, kill }
}

/** In the executable the program is the process too; in the source tree the process has a file of its own. */
function commandLine(): string[] {
  if (import.meta.url.includes('$bunfs')) return [process.execPath, QUERY_PROCESS]
  return [process.execPath, new URL('./entry.ts', import.meta.url).pathname]
}

function toAnswer(bytes: Uint8Array): QueryAnswer {
  const end = bytes.indexOf(10)
  if (end < 0) return null
  return {
    head: JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as QueryHead,
    result: bytes.subarray(end + 1),
  }
}

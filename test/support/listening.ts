import type { Io } from '../../src/base/cli/command'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import type { Stage } from './cast'

/** A request that a receiver got. */
export interface Received {
  path: string
  headers: Headers
  body: string
}

/** The receiver of a developer, on a loopback port. `statuses` are used up in their order; then it answers 204. */
export class Receiver {
  readonly got: Received[] = []
  readonly statuses: number[] = []
  /** A text in the answers that are no success. */
  complaint = 'not now'
  private readonly server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      this.got.push({ path: pathname + search, headers: request.headers, body: await request.text() })
      const status = this.statuses.shift() ?? 204
      return new Response(status < 300 ? null : this.complaint, { status })
    },
  })

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/hooks`
  }

  /** Ids of the events in the order in which they came, repetitions included. */
  get ids(): string[] {
    return this.got.map(({ headers }) => headers.get('webhook-id') ?? '')
  }

  close(): Promise<void> {
    return this.server.stop(true)
  }
}

/** A command that runs until it is stopped. */
export interface Session {
  out: string[]
  err: string[]
  /** Waits for a line of the output. A command that ends instead fails the test. */
  line(on: 'out' | 'err', part: string): Promise<string>
  stop(): Promise<number>
  code: Promise<number>
}

export function startListening(s: Stage, args: readonly string[], env: Record<string, string>): Session {
  const [out, err]: [string[], string[]] = [[], []]
  const stopped = Promise.withResolvers<void>()
  let isOver = false
  const io: Io = {
    out: (text) => void out.push(...text.split('\n')),
    err: (text) => void err.push(...text.split('\n')),
    isTerminal: false,
    env,
    clock: s.ctx.clock,
    confirm: async () => false,
    progress: () => {},
    program: PROGRAM,
    stopped: stopped.promise,
  }
  const code = runCommandLine(['listen', ...args], io).finally(() => {
    isOver = true
  })
  return {
    out,
    err,
    code,
    async line(on, part) {
      const lines = { out, err }[on]
      for (;;) {
        const found = lines.find((line) => line.includes(part))
        if (found !== undefined) return found
        if (isOver) throw new Error(`svc listen ended: ${[...out, ...err].join('\n')}`)
        await Bun.sleep(2)
      }
    },
    stop() {
      stopped.resolve()
      return code
    },
  }
}

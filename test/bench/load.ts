import type { Socket } from 'bun'

/** What to send: each connection sends one request, waits for its answer, and sends the next. */
export interface Load {
  url: string
  connections: number
  /** Bytes of the next request; null = none is left. Called before the latency of that request begins. */
  next: () => Uint8Array | null
  /** After this time no further request begins; without it the load ends with the requests. */
  durationMs?: number
}

export interface Outcome {
  /** Answers of any status. */
  answers: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** How many answers had which status. */
  statuses: Record<string, number>
  /** Requests that were never answered because the connection ended. */
  lost: number
}

/** Whether every request was answered 200. */
export const isClean = ({ answers, statuses, lost }: Outcome): boolean => lost === 0 && statuses[200] === answers

interface Exchange {
  isWaiting: boolean
  sentAt: number
  /** Bytes that the socket has not accepted yet. */
  unsent: Uint8Array | null
  /** The beginning of an answer that arrived in parts. */
  part: Buffer | null
}

const CHECK_MS = 1000
const STALL_CHECKS = 20

/** Puts a server under load over kept-alive HTTP/1.1 connections; throws when it does not answer for 20 s. */
export async function runLoad(load: Load): Promise<Outcome> {
  const run = new LoadRun(load)
  try {
    return await run.start()
  } finally {
    run.close()
  }
}

class LoadRun {
  private readonly sockets: Socket<Exchange>[] = []
  private readonly latencies: number[] = []
  private readonly statuses: Record<string, number> = {}
  private readonly ended = Promise.withResolvers<void>()
  private open = 0
  private lost = 0
  private startedAt = 0
  private lastAt = 0
  private deadline = Number.POSITIVE_INFINITY
  private guard: ReturnType<typeof setInterval> | undefined

  constructor(private readonly load: Load) {}

  async start(): Promise<Outcome> {
    const connecting = Array.from({ length: this.load.connections }, () => this.connect())
    this.sockets.push(...(await Promise.all(connecting)))
    this.open = this.sockets.length
    this.guard = this.watch()
    this.startedAt = performance.now()
    this.deadline = this.startedAt + (this.load.durationMs ?? Number.POSITIVE_INFINITY)
    for (const socket of this.sockets) this.send(socket)
    await this.ended.promise
    return this.outcome()
  }

  close(): void {
    clearInterval(this.guard)
    for (const socket of this.sockets) socket.terminate()
  }

  private connect(): Promise<Socket<Exchange>> {
    const { hostname, port } = new URL(this.load.url)
    const data: Exchange = { isWaiting: false, sentAt: 0, unsent: null, part: null }
    return Bun.connect<Exchange>({
      hostname,
      port: Number(port),
      data,
      socket: {
        data: (socket, chunk) => this.receive(socket, chunk),
        drain: (socket) => write(socket, socket.data.unsent),
        close: (socket) => this.finish(socket),
        error: (_socket, error) => this.ended.reject(error),
      },
    })
  }

  private send(socket: Socket<Exchange>): void {
    const bytes = performance.now() < this.deadline ? this.load.next() : null
    if (!bytes) return void socket.end()
    socket.data.isWaiting = true
    socket.data.sentAt = performance.now()
    write(socket, bytes)
  }

  private receive(socket: Socket<Exchange>, chunk: Buffer): void {
    const exchange = socket.data
    const bytes = exchange.part ? Buffer.concat([exchange.part, chunk]) : chunk
    const answer = readAnswer(bytes)
    if (!exchange.isWaiting || (answer && answer.length < bytes.length)) throw new Error('an answer nobody asked for')
    if (!answer) {
      exchange.part = exchange.part ? bytes : Buffer.from(bytes) // The runtime uses the memory of the chunk again.
      return
    }
    this.lastAt = performance.now()
    this.latencies.push(this.lastAt - exchange.sentAt)
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1
    exchange.isWaiting = false
    exchange.part = null
    this.send(socket)
  }

  private finish({ data }: Socket<Exchange>): void {
    if (data.isWaiting) this.lost++
    this.open--
    if (this.open === 0) this.ended.resolve()
  }

  private watch(): ReturnType<typeof setInterval> {
    let [seen, stalled] = [0, 0]
    return setInterval(() => {
      stalled = this.latencies.length === seen ? stalled + 1 : 0
      seen = this.latencies.length
      if (stalled >= STALL_CHECKS) this.ended.reject(new Error(`${this.load.url} does not answer`))
    }, CHECK_MS)
  }

  private outcome(): Outcome {
    const { statuses, lost } = this
    const sorted = Float64Array.from(this.latencies).sort()
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
    const perSecond = sorted.length / ((this.lastAt - this.startedAt) / 1000)
    return { answers: sorted.length, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), statuses, lost }
  }
}

function write(socket: Socket<Exchange>, bytes: Uint8Array | null): void {
  if (!bytes) return
  const written = Math.max(0, socket.write(bytes))
  socket.data.unsent = written < bytes.length ? bytes.subarray(written) : null
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Status and length of the answer at the beginning of the bytes; null while it is incomplete. */
function readAnswer(bytes: Buffer): { status: number; length: number } | null {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const [, size = status === 304 ? '0' : undefined] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (size === undefined) throw new Error(`an answer without Content-Length:\n${head}`)
  const length = end + HEAD_END.length + Number(size)
  return bytes.length < length ? null : { status, length }
}

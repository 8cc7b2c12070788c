import type { Sql } from 'postgres'
import { monotonicMs } from '../lib/clock'

export const CHANNEL = 'svc_changes'

/** Milliseconds between the notifications that this process sends to itself. */
const BEAT_MS = 300
/** Changes by others must be seen within 2 s (wire 1.7), also when the network to the listening connection hangs. */
const FRESH_MS = 1500
const LOST_MS = 2000
/** Pause after a connection was lost. */
const RETRY_MS = 500
/** Without any use for so long, no notification is sent. */
const IDLE_MS = 10_000
const BEAT = /^beat (\d+) (\d+)$/

interface Parts {
  /** Opens a connection of its own; `onPayload` gets each notification, `onClose` is called when it breaks. */
  connect(onPayload: (payload: string) => void, onClose: () => void): Sql
  /** Does what must be done before notifications can be relied on. */
  prepare(): Promise<void>
  /** Sends a notification over another connection. */
  notify(payload: string): Promise<unknown>
  /** A notification of a change. */
  onChange(payload: string): void
  /** From now on changes may be missed. Called before the next `isFresh` is true. */
  onLost(): void
}

interface Beat {
  number: number
  sentAt: number
}

/**
 * Listens to the notifications of all processes, as long as callers use `isFresh`. PostgreSQL delivers them in the
 * order of the commits. So when a notification that this process has sent to itself arrives, all changes that were
 * committed before it was sent have arrived too. It is sent over another connection, so that a listening connection to
 * a server that is no longer the right one is noticed as well.
 */
export class PostgresListener {
  private isRunning = false
  private isClosed = false
  private usedAt = Number.NEGATIVE_INFINITY
  /** All changes that were committed before this instant have arrived. */
  private seenUntil = Number.NEGATIVE_INFINITY
  private pending: Beat | null = null
  private beats = 0
  /** Ends the present pause. */
  private wake = () => {}
  private client: Sql | null = null
  /** The process id of the connection at the server, which names this listener while it listens; 0 before. */
  pid = 0

  constructor(private readonly parts: Parts) {}

  /** Whether every change that is older than 1.5 s has arrived. */
  isFresh(): boolean {
    this.usedAt = monotonicMs()
    if (!this.isRunning && !this.isClosed) void this.run()
    return this.usedAt - this.seenUntil < FRESH_MS
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.wake()
    await this.client?.end({ timeout: 0 }).catch(() => {})
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (!this.isClosed && !this.isIdle()) {
      await this.listen().catch(() => {}) // Nothing is kept meanwhile. Reads report a fault of the database.
      this.lose()
      if (!this.isClosed) await this.pause(RETRY_MS)
    }
    this.isRunning = false
  }

  private lose(): void {
    this.seenUntil = Number.NEGATIVE_INFINITY
    this.pending = null
    this.pid = 0
    this.parts.onLost()
  }

  /** Returns or throws when the connection is lost or unused for a while. */
  private async listen(): Promise<void> {
    const lost = Promise.withResolvers<never>()
    lost.promise.catch(() => {})
    const end = () => {
      lost.reject(new Error('the listening connection was lost'))
      this.wake()
    }
    const client = this.parts.connect((payload) => this.receive(payload), end)
    this.client = client
    const timer = setTimeout(end, LOST_MS)
    timer.unref()
    try {
      this.pid = await Promise.race([startListening(client), lost.promise])
      await Promise.race([this.parts.prepare(), lost.promise])
      clearTimeout(timer)
      await Promise.race([this.beat(), lost.promise])
    } finally {
      clearTimeout(timer)
      this.client = null
      client.end({ timeout: 0 }).catch(() => {})
    }
  }

  private async beat(): Promise<void> {
    while (!this.isClosed && !this.isIdle()) {
      const now = monotonicMs()
      if (this.pending && now - this.pending.sentAt > LOST_MS) return
      if (!this.pending) {
        this.pending = { number: ++this.beats, sentAt: now }
        // A notification that cannot be sent does not arrive, and so ends this loop in time.
        this.parts.notify(`beat ${this.pid} ${this.beats}`).catch(() => {})
      }
      await this.pause(BEAT_MS)
    }
  }

  private receive(payload: string): void {
    const [, pid, number] = BEAT.exec(payload) ?? []
    if (pid === undefined) this.parts.onChange(payload)
    else if (Number(pid) === this.pid && Number(number) === this.pending?.number) {
      this.seenUntil = this.pending.sentAt
      this.pending = null
    }
  }

  private isIdle(): boolean {
    return monotonicMs() - this.usedAt > IDLE_MS
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

async function startListening(client: Sql): Promise<number> {
  await client.unsafe(`listen ${CHANNEL}`)
  const [row] = await client.unsafe('select pg_backend_pid() as pid')
  return Number(row?.pid)
}

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Client, createClient, type InStatement, type ResultSet } from '@libsql/client'
import { monotonicMs } from '../lib/clock'

interface ReplicaConfig {
  path: string
  url: string
  authToken: string | null
}

const SYNC_SECONDS = 1
const RETRY_MS = 1000

/**
 * A local copy of a libSQL server's database. It serves the reads while it is known to hold every change of this
 * process; otherwise the server does. Changes of other processes arrive within a second.
 */
export class Replica {
  private readonly copy: Client
  private isBehind = true
  private triedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly server: Pick<Client, 'execute'>,
    { path, url, authToken }: ReplicaConfig,
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    this.copy = createClient({
      url: `file:${path}`,
      syncUrl: url,
      syncInterval: SYNC_SECONDS,
      ...(authToken !== null && { authToken }),
    })
  }

  async execute(statement: InStatement): Promise<ResultSet> {
    if (!this.isBehind) return this.copy.execute(statement)
    const result = await this.server.execute(statement)
    if (monotonicMs() - this.triedAt > RETRY_MS) await this.catchUp()
    return result
  }

  /**
   * Fetches what the server has. Call it only after the server has just answered: fetching blocks the event loop, also
   * when the server hangs.
   */
  async catchUp(): Promise<void> {
    this.isBehind = true
    this.triedAt = monotonicMs()
    try {
      await this.copy.sync()
      this.isBehind = false
    } catch {
      // The server serves the reads until the next attempt.
    }
  }

  close(): void {
    this.copy.close()
  }
}

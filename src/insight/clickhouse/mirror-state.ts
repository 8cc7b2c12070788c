import type { AnalyticsConfig } from '../../base/config'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ReadTurn } from '../../base/db/turn-queue'
import { AppError } from '../../base/errors'
import { HOUR, monotonicMs } from '../../base/lib/clock'
import type { Closable } from '../../base/state'
import { Clickhouse } from './client'
import { clickhouseHandle } from './handle'
import { AnalyticsSchemaError, migrateClickhouse } from './migrate'
import { MIRRORED, tableNameOf } from './mirror'
import { compareVersions, prepareTables } from './prepare'
import * as queries from './queries'
import { backfillStep, type Outcome, shipChanges } from './ship'

/** How long a request waits for what was committed before it to be copied. */
const PATIENCE_MS = 3000
const PAUSE_MS = 25
const STEP_MS = 500
/** How often figures are read when another process copies rows meanwhile. */
const MOST_READS = 3

/** The copy in ClickHouse: keeps it up to date, and reads from it. */
export class Mirror implements Closable {
  readonly client: Clickhouse
  readonly handle: Handle
  private preparing: Promise<void> | null = null
  private isStopping = false
  private purgeFrom = 0

  constructor(
    private readonly ctx: Context,
    config: AnalyticsConfig,
    tables: Handle['tables'],
    /** How long one step of copying everything may take. Figures that are asked for meanwhile wait for it. */
    private readonly stepMs = STEP_MS,
  ) {
    this.client = new Clickhouse(config)
    this.handle = clickhouseHandle(this.client, tables)
  }

  /**
   * Reads figures that have everything that was committed before. As long as the tables are copied for the first time,
   * and when too much waits to be copied, the database itself is read: the figures are the same.
   */
  read<Result>(work: (handle: Handle) => Promise<Result>, turn: ReadTurn = {}): Promise<Result> {
    return this.client.inTurn(async () => {
      const handle = turn.signal ? clickhouseHandle(this.client, this.handle.tables, turn.signal) : this.handle
      if (!(await this.catchUp())) return this.ctx.storage.readInThread(work, turn)
      for (let reads = 1; ; reads++) {
        const version = await queries.findVersion(this.ctx)
        const result = await work(handle).catch((error) => {
          throw unwrapped(error)
        })
        if (reads === MOST_READS || (await queries.findVersion(this.ctx)) === version) return result
      }
    })
  }

  /** Whether ClickHouse has everything that was committed before; see `read`. */
  isCaughtUp(): Promise<boolean> {
    return this.client.inTurn(() => this.catchUp())
  }

  /** Copies what waits, for as long as there is time. False when something is still to be copied. */
  private async catchUp(): Promise<boolean> {
    await this.prepare()
    if (await this.isFilling()) return false
    for (const until = monotonicMs() + PATIENCE_MS; monotonicMs() < until; ) {
      const outcome = await shipChanges(this.ctx, this.client)
      if (outcome === 'empty') return true
      if (outcome === 'held') await Bun.sleep(PAUSE_MS)
    }
    return false
  }

  async isFilling(): Promise<boolean> {
    const rows = await queries.listTables(this.ctx)
    return rows.length < MIRRORED.length || rows.some(({ doneUntil }) => doneUntil !== null)
  }

  /** Copies everything that waits. `told` is called after each batch. */
  async copyAll(told: () => Promise<void> = async () => {}): Promise<void> {
    await this.client.inTurn(() => this.prepare())
    for (let outcome: Outcome = 'done'; outcome !== 'empty' && !this.isStopping; ) {
      outcome = await this.client.inTurn(() => this.step())
      if (outcome === 'held') await Bun.sleep(PAUSE_MS)
      await told()
    }
    if (!this.isStopping) await this.client.inTurn(() => this.purge())
  }

  /** Copies what waits, and removes what was known of erased people. Rejects when that cannot be done now. */
  async forgetErased(): Promise<void> {
    this.purgeFrom = 0
    await this.copyAll()
    if ((await queries.findErasure(this.ctx)) !== null) throw new AppError('ANALYTICS_UNREACHABLE')
  }

  /** Removes from the disk what was known of erased people. What fails is tried again after an hour. */
  private async purge(): Promise<void> {
    const erasedAt = await queries.findErasure(this.ctx)
    if (erasedAt === null || monotonicMs() < this.purgeFrom) return
    this.purgeFrom = monotonicMs() + HOUR
    for (const one of MIRRORED) await this.client.command(`optimize table "${tableNameOf(this.ctx.tables, one)}" final`)
    await this.ctx.write((tx) => queries.clearErasure(tx, erasedAt))
    this.purgeFrom = 0
  }

  private async step(): Promise<Outcome> {
    const shipped = await shipChanges(this.ctx, this.client)
    if (shipped !== 'empty') return shipped
    const rows = await queries.listTables(this.ctx)
    for (const mirrored of MIRRORED) {
      const row = rows.find(({ tableName }) => tableName === tableNameOf(this.ctx.tables, mirrored))
      if (row && row.doneUntil !== null) return backfillStep(this.ctx, this.client, mirrored, row, this.stepMs)
    }
    return 'empty'
  }

  /** Once in the life of the process, as soon as ClickHouse answers. */
  private prepare(): Promise<void> {
    this.preparing ??= this.prepareNow().catch((error) => {
      this.preparing = null
      throw error
    })
    return this.preparing
  }

  private async prepareNow(): Promise<void> {
    await prepareTables(this.ctx, this.handle.tables)
    try {
      await migrateClickhouse(this.client)
    } catch (error) {
      if (!(error instanceof AnalyticsSchemaError)) throw error
      throw new AppError('ANALYTICS_UNREACHABLE', undefined, { cause: error })
    }
    await compareVersions(this.ctx, this.client, this.handle.tables)
  }

  drain(): void {
    this.isStopping = true
  }

  async close(): Promise<void> {
    this.isStopping = true
    await this.client.inTurn(async () => {}) // What is under way needs the database.
    await this.client.close()
  }
}

/** Drizzle wraps the errors of its driver. */
const unwrapped = (error: unknown): unknown => {
  const { cause } = error as { cause?: unknown }
  return cause instanceof AppError ? cause : error
}

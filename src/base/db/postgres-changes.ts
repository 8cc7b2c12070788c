import type { Sql, TransactionSql } from 'postgres'
import type { ChangeSource, RowListener } from './change-listener'
import { PostgresListener } from './postgres-listener'
import { findMissingTriggers, makeTriggers } from './postgres-triggers'
import { payloadOf, readPayload, TransactionChanges } from './transaction-changes'

interface Parts {
  /** Null where no process can listen, behind some poolers. */
  connect: ((onPayload: (payload: string) => void, onClose: () => void) => Sql) | null
  /** Executes one statement outside a transaction. */
  query(text: string, values: string[]): Promise<unknown[]>
  /** Runs one transaction under the migration lock. */
  migrating(work: (tx: TransactionSql) => Promise<void>): Promise<void>
}

export const NOTIFY = "select pg_notify('svc_changes', $1)"

/**
 * The changes of rows in a PostgreSQL database. Each transaction of svc sends the ids of its changed rows to all
 * processes, as part of the transaction. Triggers tell of changes by other programs.
 */
export class PostgresChanges implements ChangeSource {
  private rows: RowListener | null = null
  private readonly listener: PostgresListener | null
  /** The transactions whose notification comes back to this process: whether they have ended. */
  private readonly told = new Map<string, 'open' | 'ended'>()
  private transactions = 0

  constructor(private readonly parts: Parts) {
    const { connect, query } = parts
    this.listener =
      connect &&
      new PostgresListener({
        connect,
        prepare: () => this.prepare(),
        notify: (payload) => query(NOTIFY, [payload]),
        onChange: (payload) => this.receive(payload),
        onLost: () => {
          this.told.clear()
          this.rows?.changed('ANYBODY')
        },
      })
  }

  listen(rows: RowListener): void {
    this.rows = rows
  }

  /** Here changes by others are reported as they arrive. */
  foreignVersion(): number {
    return 0
  }

  isWatching(): boolean {
    return this.listener?.isFresh() ?? false
  }

  begin(): TransactionChanges {
    return new TransactionChanges(this.rows)
  }

  /** The notification that a transaction must send; null when it has changed nothing of interest. */
  payloadFor(changes: TransactionChanges): string | null {
    const { change } = changes
    if (change === 'NOBODY') return null
    const listener = this.listener?.pid ?? 0
    changes.toldAs = `${listener}.${++this.transactions}`
    if (listener !== 0) this.told.set(changes.toldAs, 'open')
    return payloadOf(changes.toldAs, change)
  }

  /** Call this when a transaction has ended in any way. Without an answer to its commit it may still be committed. */
  ended({ change, toldAs }: TransactionChanges, isCommitted: boolean): void {
    if (change !== 'NOBODY') this.rows?.changed(change)
    if (toldAs === null || !this.told.has(toldAs)) return
    if (isCommitted) this.told.set(toldAs, 'ended')
    else this.told.delete(toldAs)
  }

  /** Tells that any row may have changed, as part of a transaction. */
  tellAll(tx: TransactionSql): Promise<unknown> {
    return tx.unsafe(NOTIFY, [payloadOf('0', 'ANYBODY')]).execute()
  }

  endedAll(): void {
    this.rows?.changed('ANYBODY')
  }

  async close(): Promise<void> {
    await this.listener?.close()
  }

  /** A transaction of this process that has ended was already reported, so that its caller can read its own write. */
  private receive(payload: string): void {
    const { name, change } = readPayload(payload)
    const state = this.told.get(name)
    this.told.delete(name)
    if (state !== 'ended') this.rows?.changed(change)
  }

  private async prepare(): Promise<void> {
    const tables = this.rows?.tables ?? []
    const missing = await findMissingTriggers((text, values) => this.parts.query(text, values), tables)
    if (missing.length > 0) await this.parts.migrating((tx) => makeTriggers(tx, missing))
  }
}

import { mayChange, type RowChange, type RowListener } from './change-listener'

/** The most bytes that a notification of PostgreSQL can carry are 7999. */
const MAX_PAYLOAD_BYTES = 7000
const ANYBODY = '*'
const BETWEEN = '\n'

/** The rows that one transaction may have changed. */
export class TransactionChanges {
  private ids = new Set<string>()
  private isAnybody = false
  /** The name under which it was announced to the other processes. */
  toldAs: string | null = null

  /** Without a listener it is not known which tables are of interest, so every change counts. */
  constructor(private readonly listener: RowListener | null) {}

  get change(): RowChange {
    if (this.isAnybody) return 'ANYBODY'
    return this.ids.size === 0 ? 'NOBODY' : [...this.ids]
  }

  /** Call this before each statement. */
  note(sql: string, args: readonly unknown[]): void {
    if (this.isAnybody || !mayChange(sql)) return
    const change = this.listener ? this.listener.changeOf(sql, args) : 'ANYBODY'
    if (change === 'NOBODY') return
    if (change === 'ANYBODY') this.isAnybody = true
    else for (const id of change) this.ids.add(id)
  }
}

/**
 * The text of a notification: the name of the transaction, then its change. A change of more rows than one notification
 * can name is a change of all.
 */
export function payloadOf(name: string, change: Exclude<RowChange, 'NOBODY'>): string {
  const text = change === 'ANYBODY' ? ANYBODY : change.join(BETWEEN)
  return name + BETWEEN + (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES ? ANYBODY : text)
}

/** What a notification reports. One of an unknown form counts as a change of all. */
export function readPayload(payload: string): { name: string; change: RowChange } {
  const [name = '', ...ids] = payload.split(BETWEEN)
  return { name, change: ids.length === 0 || ids.includes(ANYBODY) ? 'ANYBODY' : ids }
}

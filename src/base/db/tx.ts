import type { Config } from '../config'
import type { Clock } from '../lib/clock'
import type { Vault } from '../lib/crypto'
import type { Ids } from '../lib/ids'
import type { Log } from '../lib/log'
import type { Mac } from '../lib/mac'
import type { Hooks, SliceState } from '../state'
import type { TransactionHandle } from './handle'
import type { TxFactory } from './write'

/** The parts that are the same for every transaction of a context. */
export interface TxParts {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly config: Config
  /** Null when the master key is switched off. */
  readonly vault: Vault | null
  readonly mac: Mac
  readonly state: SliceState
  readonly hooks: Hooks
}

/** What a person approved, where a change is the execution of a proposal. */
export interface Via {
  kind: 'assistant'
  intentId: string
  /** Null for a proposal of an agent. */
  threadId: string | null
}

/** An event that a transaction writes. */
export interface WrittenEvent {
  subscriberId: string | null
  seq: number | null
  type: string
  before: unknown
  after: unknown
}

/** An open transaction for services and queries inside `ctx.write`. No other handle works there. */
export interface Tx extends TransactionHandle, TxParts {
  /** Present where the work is the execution of a proposal; the audit log records it. */
  readonly via?: Via
  /** Gets every event that the work writes, where a person is shown its effect. */
  readonly onEvents?: (events: readonly WrittenEvent[]) => void
  /** Runs after the commit, and never after a rollback. Must not throw. */
  afterCommit(action: () => void): void
  /** Wakes the worker after the commit. */
  wakeWorker(): void
}

/** A transaction with the actions to run after its commit. */
interface OpenTx extends Tx {
  readonly afterwards: (() => void)[]
}

export const txFactory = (parts: TxParts, wakeWorker: () => void): TxFactory<Tx> => ({
  begin(handle): OpenTx {
    const afterwards: (() => void)[] = []
    const afterCommit = (action: () => void) => void afterwards.push(action)
    return { ...parts, ...handle, afterwards, afterCommit, wakeWorker: () => afterCommit(wakeWorker) }
  },
  committed(tx) {
    for (const action of (tx as OpenTx).afterwards) action()
  },
})

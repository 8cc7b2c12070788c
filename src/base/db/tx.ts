import type { Config } from '../config'
import type { Clock } from '../lib/clock'
import type { Vault } from '../lib/crypto'
import type { Ids } from '../lib/ids'
import type { Log } from '../lib/log'
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
  readonly state: SliceState
  readonly hooks: Hooks
}

/** An open transaction for services and queries inside `ctx.write`. No other handle works there. */
export interface Tx extends TransactionHandle, TxParts {
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

import type { CommandHelp } from './command-help'
import type { Config } from './config'
import type { Handle, Storage } from './db/handle'
import type { Tx } from './db/tx'
import type { Write } from './db/write'
import type { CircuitBoard } from './lib/circuits'
import type { Clock } from './lib/clock'
import type { Vault } from './lib/crypto'
import type { Ids } from './lib/ids'
import type { Log } from './lib/log'
import type { Mac } from './lib/mac'
import type { Metrics } from './metrics/metrics'
import type { Hooks, SliceState } from './state'

export type { Tx }

/** Everything a service may need, built once and passed first. */
export interface Context extends Handle {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly write: Write<Tx>
  /** Null when the master key is switched off. */
  readonly vault: Vault | null
  readonly mac: Mac
  /** Names this process in leases and claims. */
  readonly instanceId: string
  /** How calls to the stores go. */
  readonly circuits: CircuitBoard
  readonly metrics: Metrics
  /** Of the command line that this context serves, for the guide; empty where there is none. */
  readonly commands: readonly CommandHelp[]
  /** What slices keep in memory between calls. */
  readonly state: SliceState
  /** What slices add to each other's work. */
  readonly hooks: Hooks
  /** Called after a committed write that enqueued work; the worker puts itself here when it starts. */
  wakeWorker: () => void
  close(): Promise<void>
}

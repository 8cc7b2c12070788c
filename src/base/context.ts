import type { CommandHelp } from './command-help'
import type { Config } from './config'
import type { Handle, Storage } from './db/handle'
import type { ReadTurn } from './db/turn-queue'
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

/** Everything that a service may need. It is created once and passed as the first argument. */
export interface Context extends Handle {
  readonly config: Config
  readonly storage: Storage
  /** Whose work this context is for; absent where it is for no single project or caller. */
  readonly turn?: ReadTurn
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly write: Write<Tx>
  /** Null when the master key is switched off. */
  readonly vault: Vault | null
  readonly mac: Mac
  /** Identifies this process in leases and claims. */
  readonly instanceId: string
  /** Results of the latest calls to the stores. */
  readonly circuits: CircuitBoard
  readonly metrics: Metrics
  /** Help texts of the command line, for the guide; empty where no command line started this context. */
  readonly commands: () => readonly CommandHelp[]
  /** What the slices keep in memory between calls. */
  readonly state: SliceState
  /** The functions that slices add to the work of other slices. */
  readonly hooks: Hooks
  /** Called after a committed write that has enqueued a job. The worker sets this function when it starts. */
  wakeWorker: () => void
  close(): Promise<void>
}

import type { Config } from './base/config'
import type { Handle, Storage, TransactionHandle } from './base/db/handle'
import { openStorage } from './base/db/open'
import { createWrite, type Write } from './base/db/write'
import { Metrics } from './base/http/metrics'
import { SlidingWindow } from './base/http/rate-limit'
import { ReadyAnswers } from './base/http/response-cache'
import { CircuitBoard } from './base/lib/circuits'
import { type Clock, systemClock } from './base/lib/clock'
import type { Vault } from './base/lib/crypto'
import { createIds, type Ids } from './base/lib/ids'
import { createLog, type Log } from './base/lib/log'
import type { Mac } from './base/lib/mac'
import { openMac, openVault } from './base/master-key'
import { Presence } from './people/subscribers/presence'
import { forgetChanged } from './people/subscribers/row-changes'
import { KeyRing } from './projects/project/key-ring'
import { ProjectCache } from './projects/project/project-cache'
import { parseRoots, type Root } from './stores/ios/roots'
import { IosStore } from './stores/ios/store'
import { WaitingAssignments } from './targeting/remote-config/assignments'
import { loadSimulatorRoot } from './test-store/stores/service'

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
  readonly projects: ProjectCache
  readonly keys: KeyRing
  readonly limits: SlidingWindow
  readonly presence: Presence
  readonly ready: ReadyAnswers
  readonly assignments: WaitingAssignments
  readonly ios: IosStore
  readonly metrics: Metrics
  /** How calls to the stores go. */
  readonly circuits: CircuitBoard
  /** Called after a committed write that enqueued work; the worker puts itself here when it starts. */
  wakeWorker: () => void
  close(): Promise<void>
}

/** An open transaction as services and queries see it inside `ctx.write`; the only handle that works there. */
export interface Tx extends TransactionHandle {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly config: Config
  readonly vault: Vault | null
  /** Runs after the commit, never when the transaction is rolled back. Must not throw. */
  afterCommit(action: () => void): void
  /** Wakes the worker after the commit. */
  wakeWorker(): void
}

interface Parts {
  clock?: Clock
  ids?: Ids
  log?: Log
  storage?: Storage
}

/** Opens the database and builds the context; parts can be given by tests. Does not migrate and starts no loop. */
export async function createContext(config: Config, parts: Parts = {}): Promise<Context> {
  const clock = parts.clock ?? systemClock
  const now = () => clock.now()
  const log = parts.log ?? createLog({ level: config.logLevel, now, isHuman: process.stderr.isTTY === true })
  const ids = parts.ids ?? createIds(now)
  const storage = parts.storage ?? (await openStorage(config))
  const vault = openVault(config)
  const circuits = new CircuitBoard()
  const base = { config, clock, ids, log, vault }
  const write = createWrite<Tx>(
    storage,
    txFactory(base, () => context.wakeWorker()),
  )
  const ready = new ReadyAnswers(storage.changes)
  storage.changes?.listen(forgetChanged(ready))
  const context: Context = {
    ...base,
    mac: openMac(config),
    storage,
    db: storage.db,
    tables: storage.tables,
    write,
    instanceId: ids.uuid(),
    projects: new ProjectCache(storage, log),
    keys: new KeyRing(storage, clock),
    limits: new SlidingWindow(),
    presence: new Presence(),
    ready,
    assignments: new WaitingAssignments(write, log, undefined, (subscriberId) => ready.forget(subscriberId)),
    ios: openIosStore(config, storage),
    metrics: new Metrics(circuits, now),
    circuits,
    wakeWorker: () => {},
    close: () => storage.close(),
  }
  return context
}

function openIosStore(config: Config, storage: Storage): IosStore {
  const loadRoot = async () => (config.isSimulatorOn ? loadSimulatorRoot(storage) : null)
  return new IosStore({ extraRoots: extraRoots(config), loadSimulatorRoot: loadRoot })
}

// The configuration was checked when it was read; a file without certificates did not come this far.
function extraRoots({ iosExtraRoots }: Config): Root[] {
  const parsed = iosExtraRoots === null ? null : parseRoots(iosExtraRoots)
  return parsed?.ok ? parsed.roots : []
}

type Base = Pick<Tx, 'config' | 'clock' | 'ids' | 'log' | 'vault'>

const actionsOf = new WeakMap<Tx, (() => void)[]>()

function txFactory(base: Base, wakeWorker: () => void) {
  return {
    begin(handle: TransactionHandle): Tx {
      const actions: (() => void)[] = []
      const afterCommit = (action: () => void) => void actions.push(action)
      const tx: Tx = { ...base, ...handle, afterCommit, wakeWorker: () => afterCommit(wakeWorker) }
      actionsOf.set(tx, actions)
      return tx
    },
    committed(tx: Tx): void {
      for (const action of actionsOf.get(tx) ?? []) action()
    },
  }
}

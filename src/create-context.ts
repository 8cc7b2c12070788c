import type { CommandHelp } from './base/command-help'
import type { Config } from './base/config'
import type { Context } from './base/context'
import type { Storage } from './base/db/handle'
import { MIGRATIONS, type Migrations } from './base/db/migrations'
import { openStorage } from './base/db/open'
import { txFactory } from './base/db/tx'
import { createWrite } from './base/db/write'
import { CircuitBoard } from './base/lib/circuits'
import { type Clock, shiftedClock, systemClock } from './base/lib/clock'
import { createIds, type Ids } from './base/lib/ids'
import { lazily } from './base/lib/lazily'
import { createLog, type Log } from './base/lib/log'
import { openMac, openVault } from './base/master-key'
import { createMetrics } from './base/metrics/metrics'
import type { Slice } from './base/slice'
import type { Closable, Hooks, SliceState } from './base/state'
import { SLICES } from './slices'

interface Parts {
  clock?: Clock
  ids?: Ids
  log?: Log
  storage?: Storage
  slices?: readonly Slice[]
  migrations?: Migrations
  commands?: () => readonly CommandHelp[]
}

/** Opens the database and builds the context. Tests can give parts. It does not migrate and starts no loops. */
export async function createContext(config: Config, parts: Parts = {}): Promise<Context> {
  const clock = shiftedClock(parts.clock ?? systemClock, config.testClockOffsetMs)
  const now = () => clock.now()
  const log = parts.log ?? createLog({ level: config.logLevel, now, isHuman: process.stderr.isTTY === true })
  const ids = parts.ids ?? createIds(now)
  const slices = parts.slices ?? SLICES
  const storage = parts.storage ?? (await openDatabase(config, slices, parts.migrations))
  const circuits = new CircuitBoard()
  const [vault, mac] = [openVault(config), openMac(config)]
  const base = { config, clock, ids, log, vault, mac, state: {} as SliceState, hooks: hooksOf(slices) }
  const context: Context = {
    ...base,
    storage,
    db: storage.db,
    tables: storage.tables,
    write: createWrite(
      storage,
      txFactory(base, () => context.wakeWorker()),
    ),
    instanceId: ids.uuid(),
    metrics: createMetrics(
      slices.flatMap(({ metrics }) => metrics ?? []),
      { circuits, clock },
    ),
    circuits,
    commands: parts.commands ?? (() => []),
    wakeWorker: () => {},
    close: async () => {
      await closeState(context.state)
      await storage.close()
    },
  }
  fillState(context, slices)
  return context
}

/** Opens only the database of a configuration: no key file is created, and nothing is kept in memory. */
export const openDatabase = (
  config: Config,
  slices: readonly Slice[] = SLICES,
  migrations: Migrations = MIGRATIONS,
): Promise<Storage> => openStorage(config, tablesOf(slices), migrations)

export const tablesOf = (slices: readonly Slice[] = SLICES) => slices.flatMap(({ tables }) => tables ?? [])

/** Creates every slice's part of the state, in slice order, so that each can use the parts before it. */
function fillState(ctx: Context, slices: readonly Slice[]): void {
  for (const { name, state = {} } of slices)
    for (const [part, make] of Object.entries(state)) {
      if (part in ctx.state) throw new Error(`the slice ${name} makes the state ${part}, which another one has made`)
      Object.assign(ctx.state, { [part]: (make as (ctx: Context) => unknown)(ctx) })
    }
}

async function closeState(state: SliceState): Promise<void> {
  for (const part of Object.values(state).reverse()) await (part as Closable | null)?.close?.()
}

/** The hooks of all manifests, by the names of their members. Each list is made when it is first read. */
export function hooksOf(slices: readonly Slice[]): Hooks {
  const hooks = {}
  for (const name of new Set(slices.flatMap((manifest) => Object.keys(manifest)))) {
    const listOf = lazily(() => slices.flatMap((manifest) => Reflect.get(manifest, name) ?? []))
    Object.defineProperty(hooks, name, { enumerable: true, get: listOf })
  }
  return hooks
}

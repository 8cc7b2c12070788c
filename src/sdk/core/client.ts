import { hasAttributes, queueAttributes } from './attributes'
import type { Claims } from './claims'
import { add, type Core, type Identity } from './core'
import { ATTRIBUTES, CHECKOUT, IDENTITY } from './keys'
import type { Late } from './late'
import { lateOf } from './load-late'
import type {
  AccessId,
  Assignment,
  Balances,
  Change,
  DehydratedState,
  Entitlement,
  ExperimentKey,
  FlagKey,
  FlagValue,
  FunnelClaim,
  Offerings,
  PurchaseResult,
  Read,
  Receipt,
  TrackedEvent,
  VariantId,
} from './model'
import type { Placements } from './placements'
import { createReads, PARTS } from './reads'
import { createUsers, type Users } from './users'
import type { Part, Values } from './values'

export type Unsubscribe = () => void

export interface Client extends Claims, Users, Pick<Placements, 'placement'> {
  /** Takes the exported placements that are built into the app, and gives how many can be used. */
  loadFallbackPlacements(json: unknown): Promise<number>
  entitlements(options?: { maxAgeMs?: number }): Promise<Read<Entitlement[]>>
  /** Whether the user may use an access level now. */
  isEntitled(id: AccessId): Promise<boolean>
  offerings(): Promise<Read<Offerings>>
  balances(): Promise<Read<Balances>>
  /** The value of a flag, or `fallback` when there is none of that type. It answers at once and never throws. */
  flag<K extends FlagKey, T>(key: K, fallback: FlagValue<K, T>): FlagValue<K, T>
  /** The variant of an experiment that the user is in, or null. */
  experiment<K extends ExperimentKey>(key: K): Assignment<VariantId<K>> | null
  /** Tells the server that the user has seen the variant; once for each user and variant. */
  expose(key: ExperimentKey): Promise<void>
  /** Reads flags and experiments again. */
  refreshConfig(): Promise<void>
  /** Follows changes of flags and experiments until the returned function is called. */
  watchConfig(): Unsubscribe
  /** Sets attributes of the user; null deletes one. They are sent within 30 seconds. */
  setAttributes(attributes: Record<string, string | null>): void
  /** Sends the attributes now, and gives how many were acknowledged. */
  flushAttributes(): Promise<number>
  /** Ends when the event is delivered. */
  track(event: TrackedEvent): Promise<void>
  /** Proves a purchase that a plug-in of the store has made. */
  postReceipt(receipt: Receipt): Promise<PurchaseResult>
  onFunnelClaim(listener: (claim: FunnelClaim) => void): Unsubscribe
  on(listener: (change: Change) => void): Unsubscribe
  /** The last value that was read, without asking. */
  peek<P extends Part>(part: P): Read<Values[P]> | null
  dehydrate(): DehydratedState
  hydrate(state: DehydratedState): void
  /** Ends timers, streams and listeners. What was not sent stays in the storage. */
  shutdown(): void
}

/** A client with what the other entries of the package use of it. */
export type InnerClient = Client & { readonly inner: { core: Core; late(): Promise<Late> } }

const ignore = () => {}

export function createClient(core: Core, prefix: string): InnerClient {
  const { memory, globals, listeners, ends } = core
  const bound = (): Promise<void> => users.bound()
  const reads = createReads(core, bound)
  const { read, peek } = reads
  const late = lateOf(core, reads, bound)
  const changed = () => {
    reads.forget()
    core.emit('IDENTITY_CHANGED')
  }
  const users = createUsers(core, {
    flush: () => client.flushAttributes(),
    hasQueued: () => hasAttributes(core),
    drop: () => memory.set(ATTRIBUTES, undefined),
    changed,
    reread: () => reads.refresh(['entitlements', 'config']),
  })
  const { bound: _, ...userMethods } = users
  type Method = Exclude<keyof Late & keyof Client, never>
  /** A method of the part that is loaded later. */
  const after = <K extends Method>(name: K): Client[K] =>
    (async (...args: never[]) => ((await late())[name] as (...args: never[]) => unknown)(...args)) as Client[K]
  const config = () => peek('config')?.value
  const client: InnerClient = {
    ...userMethods,
    async entitlements(options) {
      if (memory.get(CHECKOUT)) await (await late()).afterCheckout()
      return read('entitlements', options?.maxAgeMs)
    },
    isEntitled: async (id) => (await client.entitlements()).value.some((one) => one.id === id && one.isActive),
    offerings: () => read('offerings'),
    balances: () => read('balances'),
    flag: <T>(key: string, fallback: T) => {
      const value = config()?.flags[key]
      return value === undefined || (fallback != null && typeof value !== typeof fallback) ? fallback : (value as T)
    },
    experiment: (key) => config()?.experiments[key] ?? null,
    refreshConfig: async () => void (await read('config', 0)),
    setAttributes(attributes) {
      const dropped = queueAttributes(core, attributes)
      late().then(({ later }) => later(), ignore)
      if (dropped) client.track({ eventType: 'client.dropped', amount: `${dropped}` }).catch(ignore)
    },
    flushAttributes: after('flushAttributes'),
    track: after('track'),
    expose: after('expose'),
    postReceipt: after('postReceipt'),
    placement: after('placement'),
    loadFallbackPlacements: after('loadFallbackPlacements'),
    claimFunnelToken: after('claimFunnelToken'),
    claimFunnelUrl: after('claimFunnelUrl'),
    claimFunnelInstall: after('claimFunnelInstall'),
    claimFunnelEmail: after('claimFunnelEmail'),
    watchConfig() {
      const end = late().then(({ watch }) => watch())
      const stop = () => void end.then((run) => run())
      ends.push(stop)
      return stop
    },
    onFunnelClaim: (listener) => add(listeners.claims, listener),
    on: (listener) => add(listeners.changes, listener),
    peek,
    dehydrate: reads.dehydrate,
    hydrate: reads.hydrate,
    shutdown: () => ends.forEach((end) => void end()),
    inner: { core, late },
  }
  /** Another tab has another user. */
  const followed = ({ key }: { key: string | null }): void => {
    const { deviceKey, appUserId } = core.identity()
    if (key !== prefix + IDENTITY) return
    const { deviceKey: newKey, appUserId: newLabel } = memory.fresh<Identity>(IDENTITY) ?? core.identity()
    for (const answer of memory.answers()) memory.fresh(answer)
    if (deviceKey !== newKey || appUserId !== newLabel) changed()
  }
  globals.addEventListener?.('storage', followed)
  ends.push(() => globals.removeEventListener?.('storage', followed))
  if (core.platform) {
    reads.refresh(PARTS, 60_000)
    late().then(({ begin }) => begin(), ignore)
  }
  return client
}

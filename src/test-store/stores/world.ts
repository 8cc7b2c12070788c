import type { Handle } from '../../base/db/handle'
import type { Ids } from '../../base/lib/ids'
import type { TestOffer } from '../../stores/in-process'
import type { TransactionPayload } from '../../stores/ios/decode'
import type { SimulatorTx } from '../../stores/test-keys/service'
import type { SimulatedNews } from './life'
import { type Life, redated } from './lives'
import { insertMessages, type SimulatorMessageRow } from './messages'
import { findChain, findStoreState, listChains, type SimulatorChainRow, saveChain, saveStoreState } from './queries'

/** Simulated faults between the test stores and this server. */
export interface Trouble {
  /** How many additional copies of each message are delivered. */
  duplicates: number
  /** Whether the messages that one command causes are delivered in reverse order. */
  isReordered: boolean
  delayMs: number
  /** The fraction of messages that is lost, 0 to 1. */
  dropRate: number
  /** The stores do not answer. */
  isStoreDown: boolean
}

export const NO_TROUBLE: Trouble = {
  ...{ duplicates: 0, isReordered: false, delayMs: 0, dropRate: 0, isStoreDown: false },
}

/** The common state of a project's test stores. */
export interface StoreState {
  /** How far their clock is ahead of ours. */
  leadMs: number
  /** How many messages were written so far, and how many of them were lost. */
  told: number
  lost: number
  trouble: Trouble
  /** What products cost in funnels, by identifier, where it was set for the test store alone. */
  offers: Readonly<Record<string, TestOffer>>
  /** What promotion codes take off, in per cent; the codes are in capital letters. */
  codes: Readonly<Record<string, number>>
  /** The hostnames that are registered for wallets. */
  domains: readonly string[]
}

/** A message to this server: from a store, or from the app of the buyer. */
export type Message = { from: 'store'; told: SimulatedNews } | { from: 'app'; post: AppPost }

/** The type of messages that come from an app. */
export const APP = 'app'

/** What an app sends after a purchase. */
export type AppPost = { productId: string } & (
  | { store: 'ios'; transaction: TransactionPayload }
  | { store: 'android'; token: string }
)

const NEW: StoreState = { leadMs: 0, told: 0, lost: 0, trouble: NO_TROUBLE, offers: {}, codes: {}, domains: [] }

export async function readStoreState(handle: Handle, projectId: string): Promise<StoreState> {
  // The value was saved by `changeWorld`.
  const saved = (await findStoreState(handle, projectId)) as Partial<StoreState> | null
  return { ...NEW, ...saved }
}

/** A project's test stores inside a write transaction. */
export interface World<Tx extends SimulatorTx = SimulatorTx> {
  tx: Tx
  projectId: string
  /** Saved with the transaction. */
  state: StoreState
}

/** What opens the transaction of a change. */
interface Writer<Tx extends SimulatorTx> {
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
}

/** Changes the data of a project's test stores. Two changes at once run one after the other. */
export function changeWorld<Result, Tx extends SimulatorTx = SimulatorTx>(
  ctx: Writer<Tx>,
  projectId: string,
  work: (world: World<Tx>) => Promise<Result>,
): Promise<Result> {
  return ctx.write(async (tx) => {
    await tx.lock(`simulator:${projectId}`)
    const world = { tx, projectId, state: await readStoreState(tx, projectId) }
    const result = await work(world)
    await saveStoreState(tx, projectId, { ...world.state })
    return result
  })
}

/** A purchase with its dates by the present clock of its store; null when the test stores do not know the id. */
export async function readLife(handle: Handle, projectId: string, id: string): Promise<Life | null> {
  const row = await findChain(handle, projectId, id)
  return row && toLife(row, await readStoreState(handle, projectId))
}

/** All purchases of a project, or of one of its devices; the one that changed last comes first. */
export async function readLives(handle: Handle, projectId: string, deviceKey: string | null = null): Promise<Life[]> {
  const state = await readStoreState(handle, projectId)
  return (await listChains(handle, projectId, deviceKey)).flatMap((row) => toLife(row, state) ?? [])
}

/** A saved purchase. Its dates are those of the time of the save. */
interface Kept {
  life?: Life
  leadMs: number
}

function toLife({ payload, updatedAt }: SimulatorChainRow, { leadMs }: StoreState): Life | null {
  const kept = payload as unknown as Kept // The value was saved by `saveLife`.
  return kept.life ? redated(kept.life, { savedAt: updatedAt, shiftMs: leadMs - kept.leadMs }) : null
}

export async function saveLife({ tx, projectId, state }: World, life: Life): Promise<void> {
  const { id: originalTransactionId, deviceKey } = life
  const payload: Kept = { life, leadMs: state.leadMs }
  // A turn may be dated a millisecond after the clock, and its changes must count as past.
  const updatedAt = Math.max(tx.clock.now(), life.lastAt)
  await saveChain(tx, { projectId, originalTransactionId, deviceKey, payload: { ...payload }, updatedAt })
}

/** Which command may deliver a message first, and until when. */
export interface Hold {
  takenBy: string | null
  takenUntil: number
}

const FREE: Hold = { takenBy: null, takenUntil: 0 }

/** Writes the messages of a store about a purchase, with the simulated faults applied. */
export async function tell(world: World, { deviceKey }: Life, told: readonly SimulatedNews[], at: number, hold = FREE) {
  const { delayMs, dropRate } = world.state.trouble
  const kept = told.filter(() => drawn(world.tx.ids) >= dropRate)
  world.state.lost += told.length - kept.length
  // The second of two messages within a millisecond is dated slightly in the future. It need not wait for that.
  const deliverAt = Math.min(at, world.tx.clock.now()) + world.state.leadMs + delayMs
  await send(
    world,
    kept.map((one) => toRow(world, deviceKey, one.type, { from: 'store', told: one }, { ...hold, deliverAt })),
  )
}

/** Writes the message of an app. It does not come from a store, so no faults are applied. */
export async function postFromApp(world: World, { deviceKey }: Life, post: AppPost, hold: Hold): Promise<void> {
  const deliverAt = world.tx.clock.now() + world.state.leadMs
  await send(world, [toRow(world, deviceKey, APP, { from: 'app', post }, { ...hold, deliverAt })])
}

const send = ({ tx }: World, rows: SimulatorMessageRow[]): Promise<void> => insertMessages(tx, rows)

function toRow(
  { tx, projectId, state }: World,
  deviceKey: string,
  type: string,
  message: Message,
  hold: Hold & { deliverAt: number },
): SimulatorMessageRow {
  state.told += 1
  const fresh = { attempts: 0, error: null }
  return { id: tx.ids.uuid(), projectId, seq: state.told, deviceKey, type, message: { ...message }, ...hold, ...fresh }
}

/** A random number from 0 to 1, without 1. */
const drawn = (ids: Ids): number => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32

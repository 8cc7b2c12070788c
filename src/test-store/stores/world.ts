import type { Handle } from '../../base/db/handle'
import type { Ids } from '../../base/lib/ids'
import type { TransactionPayload } from '../../stores/ios/decode'
import type { SimulatorContext, SimulatorTx } from '../../stores/test-keys/service'
import type { SimulatedNews } from './life'
import { type Life, redated } from './lives'
import { insertMessages, type SimulatorMessageRow } from './messages'
import { findChain, findStoreState, listChains, type SimulatorChainRow, saveChain, saveStoreState } from './queries'

/** What goes wrong on purpose between the test stores and us. */
export interface Trouble {
  /** How often each message is delivered beside the first time. */
  duplicates: number
  /** What one command made a store say is delivered backwards. */
  isReordered: boolean
  delayMs: number
  /** Which part of the messages is lost, 0 to 1. */
  dropRate: number
  /** The stores do not answer. */
  isStoreDown: boolean
}

export const NO_TROUBLE: Trouble = {
  ...{ duplicates: 0, isReordered: false, delayMs: 0, dropRate: 0, isStoreDown: false },
}

/** A project's test stores as a whole. */
export interface StoreState {
  /** How far their clock was advanced beyond ours, in all. */
  leadMs: number
  /** Messages told so far, and lost. */
  told: number
  lost: number
  trouble: Trouble
}

/** Something on its way to us: from a store, or from the app of whoever bought. */
export type Message = { from: 'store'; told: SimulatedNews } | { from: 'app'; post: AppPost }

/** The type of messages that no store has sent. */
export const APP = 'app'

/** What an app posts after a purchase. */
export type AppPost = { productId: string } & (
  | { store: 'ios'; transaction: TransactionPayload }
  | { store: 'android'; token: string }
)

const NEW: StoreState = { leadMs: 0, told: 0, lost: 0, trouble: NO_TROUBLE }

export async function readStoreState(handle: Handle, projectId: string): Promise<StoreState> {
  // As it was saved below.
  const saved = (await findStoreState(handle, projectId)) as Partial<StoreState> | null
  return { ...NEW, ...saved }
}

/** A project's test stores, open for changes. */
export interface World {
  tx: SimulatorTx
  projectId: string
  /** Saved with the transaction. */
  state: StoreState
}

/** Changes what the test stores know; two at once wait for each other. */
export function changeWorld<Result>(
  ctx: SimulatorContext,
  projectId: string,
  work: (world: World) => Promise<Result>,
): Promise<Result> {
  return ctx.write(async (tx) => {
    await tx.lock(`simulator:${projectId}`)
    const world = { tx, projectId, state: await readStoreState(tx, projectId) }
    const result = await work(world)
    await saveStoreState(tx, projectId, { ...world.state })
    return result
  })
}

/** A life with its dates as they are by the clock of its store now; null when the test stores know no such id. */
export async function readLife(handle: Handle, projectId: string, id: string): Promise<Life | null> {
  const row = await findChain(handle, projectId, id)
  return row && toLife(row, await readStoreState(handle, projectId))
}

/** Every life of a project, or of one device; the one that changed last first. */
export async function readLives(handle: Handle, projectId: string, deviceKey: string | null = null): Promise<Life[]> {
  const state = await readStoreState(handle, projectId)
  return (await listChains(handle, projectId, deviceKey)).flatMap((row) => toLife(row, state) ?? [])
}

/** A life as it is kept: its dates are those of then. */
interface Kept {
  life?: Life
  leadMs: number
}

function toLife({ payload, updatedAt }: SimulatorChainRow, { leadMs }: StoreState): Life | null {
  const kept = payload as unknown as Kept // As `saveLife` wrote it.
  return kept.life ? redated(kept.life, { savedAt: updatedAt, shiftMs: leadMs - kept.leadMs }) : null
}

export async function saveLife({ tx, projectId, state }: World, life: Life): Promise<void> {
  const { id: originalTransactionId, deviceKey } = life
  const payload: Kept = { life, leadMs: state.leadMs }
  // A turn may be a millisecond ahead of the clock, and what it did lies behind it.
  const updatedAt = Math.max(tx.clock.now(), life.lastAt)
  await saveChain(tx, { projectId, originalTransactionId, deviceKey, payload: { ...payload }, updatedAt })
}

/** Who may deliver a message first, and until when. */
export interface Hold {
  takenBy: string | null
  takenUntil: number
}

const FREE: Hold = { takenBy: null, takenUntil: 0 }

/** Puts on its way what a store tells of a life at an instant, as far as nothing goes wrong on purpose. */
export async function tell(world: World, { deviceKey }: Life, told: readonly SimulatedNews[], at: number, hold = FREE) {
  const { delayMs, dropRate } = world.state.trouble
  const kept = told.filter(() => drawn(world.tx.ids) >= dropRate)
  world.state.lost += told.length - kept.length
  // The second of two words within a millisecond is dated a little ahead, and is not to wait for that.
  const deliverAt = Math.min(at, world.tx.clock.now()) + world.state.leadMs + delayMs
  await send(
    world,
    kept.map((one) => toRow(world, deviceKey, one.type, { from: 'store', told: one }, { ...hold, deliverAt })),
  )
}

/** Puts on its way what an app posts: it is no store, and nothing goes wrong with it. */
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

/** A number from 0 to 1, below it. */
const drawn = (ids: Ids): number => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32

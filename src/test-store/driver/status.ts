import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { SimulatedStore } from '../stores/life'
import type { Life } from '../stores/lives'
import { listMessages } from '../stores/messages'
import { readLives, readStoreState, type StoreState } from '../stores/world'

export interface TestStoreStatus {
  /** The clock of the test stores. */
  now: number
  state: StoreState
  /** Newest first. */
  lives: Life[]
  waiting: Waiting[]
}

/** A message that was not delivered yet. */
interface Waiting {
  type: string
  device: string
  /** By the clock of the test stores. */
  deliverAt: number
  attempts: number
  error: string | null
}

/** The state of a project's test stores, with their purchases and waiting messages. */
export async function readStatus(ctx: Context, { id }: ProjectState): Promise<TestStoreStatus> {
  const state = await readStoreState(ctx, id)
  const lives = (await readLives(ctx, id)).toSorted((a, b) => b.boughtAt - a.boughtAt)
  const waiting = (await listMessages(ctx, id)).map(({ type, deviceKey: device, deliverAt, attempts, error }) => ({
    ...{ type, device, deliverAt, attempts, error },
  }))
  return { now: ctx.clock.now() + state.leadMs, state, lives, waiting }
}

/** The store of the device's newest purchase; null when it has none. */
export async function newestStore(
  ctx: Context,
  { id }: ProjectState,
  deviceKey: string,
): Promise<SimulatedStore | null> {
  const lives = await readLives(ctx, id, deviceKey)
  return lives.toSorted((a, b) => b.boughtAt - a.boughtAt)[0]?.store ?? null
}

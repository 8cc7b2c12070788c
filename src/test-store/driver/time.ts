import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { Due, Turn } from '../stores/life'
import { dueOf, type Life, turnLife } from '../stores/lives'
import { listMessages, type SimulatorMessageRow } from '../stores/messages'
import { changeWorld, readLife, readLives, readStoreState, saveLife, tell, type World } from '../stores/world'
import { deliverDue, type Heard } from './deliver'
import { holdOf, type Session } from './session'

/** A turn that happened without a command. */
export interface Step {
  /** By the clock of the store. */
  at: number
  turn: Turn
  life: Life
}

export interface Passed extends Heard {
  steps: Step[]
}

/** Advances the clock of the test stores. A test passes a function that advances its own clock instead. */
export type Elapse = (ms: number) => void | Promise<void>

/**
 * Advances the time of the test stores. Each renewal, expiry and retry that comes due happens in order, and its
 * messages are delivered before the next one.
 *
 * The clock of the stores jumps and ours does not. So the future dates in all purchases are moved to earlier instants
 * of our clock: a period that would end in 30 days ends now. Past dates and past messages stay.
 */
export async function passTime(
  ctx: Context,
  project: ProjectState,
  session: Session,
  ms: number,
  elapse: Elapse = (leap) => leapBy(ctx, project.id, leap),
): Promise<Passed> {
  const passed: Passed = { steps: [], delivered: [], failed: [] }
  const dues = await allDues(ctx, project.id)
  let left = ms
  for (;;) {
    const next = await nextInstant(ctx, project.id, session, dues)
    const wait = Math.max(0, next - (await storeNow(ctx, project.id)))
    if (wait > left) break
    if (wait > 0) await elapse(wait)
    left -= wait
    await happen(ctx, project, session, dues, passed)
  }
  if (left > 0) await elapse(left)
  return passed
}

const leapBy = (ctx: Context, projectId: string, ms: number): Promise<void> =>
  changeWorld(ctx, projectId, async ({ state }) => {
    state.leadMs += ms
  })

/** The present time by the clock of the stores. */
export const storeNow = async (ctx: Context, projectId: string): Promise<number> =>
  ctx.clock.now() + (await readStoreState(ctx, projectId)).leadMs

/** When the next turn of each purchase is due, by the clock of the stores: a jump does not change it. */
type Dues = Map<string, number>

async function allDues(ctx: Context, projectId: string): Promise<Dues> {
  const { leadMs } = await readStoreState(ctx, projectId)
  return new Map((await readLives(ctx, projectId)).map((life) => [life.id, instantOf(dueOf(life), leadMs)]))
}

const instantOf = (due: Due | null, leadMs: number): number => (due ? due.at + leadMs : Number.POSITIVE_INFINITY)

async function nextInstant(ctx: Context, projectId: string, session: Session, dues: Dues): Promise<number> {
  // With reversed order nothing is delivered before the end.
  const waiting = session.isBackwards ? [] : await listMessages(ctx, projectId)
  const now = ctx.clock.now()
  const isOurs = (row: SimulatorMessageRow) => row.takenBy === session.takenBy || row.takenUntil <= now
  // Failed messages are tried again on the way, but they do not determine the steps of the clock.
  const fresh = waiting.filter((row) => row.attempts === 0 && isOurs(row)).map(({ deliverAt }) => deliverAt)
  return Math.min(...dues.values(), ...fresh, Number.POSITIVE_INFINITY)
}

/** One turn of the purchase that is due first, and all deliveries that are due. */
async function happen(
  ctx: Context,
  project: ProjectState,
  session: Session,
  dues: Dues,
  passed: Passed,
): Promise<void> {
  const now = await storeNow(ctx, project.id)
  const due = [...dues].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b)
  const [first] = due
  if (first) {
    const { step, next } = await takeDue(ctx, project.id, session, first[0])
    dues.set(first[0], next)
    if (step) passed.steps.push(step)
  }
  if (session.isBackwards) return
  const { delivered, failed } = await deliverDue(ctx, project, session)
  passed.delivered.push(...delivered)
  passed.failed.push(...failed)
}

interface TakenDue {
  step: Step | null
  next: number
}

/**
 * Takes the due turn of a purchase, dated at the instant when it was due. Does nothing when another command was faster.
 */
function takeDue(ctx: Context, projectId: string, session: Session, id: string): Promise<TakenDue> {
  return changeWorld(ctx, projectId, async (world) => {
    const { tx, state } = world
    const life = await readLife(tx, projectId, id)
    const due = life && dueOf(life)
    // The turn before may be dated a millisecond after our clock, and no jump moves a date before that.
    if (!life || !due || due.at > Math.max(tx.clock.now(), life.lastAt))
      return { step: null, next: instantOf(due, state.leadMs) }
    const turned = turnLife(life, { turn: due.turn, now: due.at, nextSeed: () => tx.ids.uuid() })
    const [changed] = turned.ok ? turned.lives : []
    if (!turned.ok || !changed) return { step: null, next: Number.POSITIVE_INFINITY }
    await saveLife(world, changed)
    await tell(world, changed, turned.told, changed.lastAt, holdOf(session))
    const step = { at: due.at + state.leadMs, turn: due.turn, life: changed }
    return { step, next: nextOf(world, changed) }
  })
}

const nextOf = ({ state }: World, life: Life): number => instantOf(dueOf(life), state.leadMs)

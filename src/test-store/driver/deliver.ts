import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import {
  deleteMessage,
  listMessages,
  listWaitingProjects,
  releaseMessages,
  type SimulatorMessageRow,
  takeMessages,
  updateMessage,
} from '../stores/messages'
import { type Message, readStoreState } from '../stores/world'
import { sendMessage } from './send'

/** What became of messages. */
export interface Heard {
  /** Types of what was taken in, in order; twice what came twice. */
  delivered: string[]
  failed: Failure[]
}

export interface Failure {
  type: string
  error: string
  /** It was refused and is not tried again. */
  isFinal: boolean
}

export interface DeliverOptions {
  takenBy: string
  /** What is delayed, too. */
  isForced?: boolean
  isBackwards?: boolean
}

/** How long a message is its deliverer's. */
export const HOLD_MS = 2 * MINUTE

/** Delivers what is due, in the order of telling, each message as often as it is to come. */
export async function deliverDue(ctx: Context, project: ProjectState, options: DeliverOptions): Promise<Heard> {
  const heard: Heard = { delivered: [], failed: [] }
  const tried = new Set<string>()
  for (;;) {
    const batch = await take(ctx, project.id, options, tried)
    if (batch.length === 0) return heard
    for (const row of batch) {
      tried.add(row.id)
      await deliverOne(ctx, project, row, options.takenBy, heard)
    }
  }
}

/** Ends a command's claim to what it could not deliver yet. */
export const release = (ctx: Context, takenBy: string): Promise<void> => ctx.write((tx) => releaseMessages(tx, takenBy))

/** What waits in any project and is due: a running server delivers it by itself. */
export async function deliverWaiting(ctx: Context): Promise<void> {
  for (const projectId of await listWaitingProjects(ctx)) {
    const project = await ctx.state.projects.find(projectId)
    if (project) await deliverDue(ctx, project, { takenBy: ctx.ids.uuid() })
  }
}

async function take(
  ctx: Context,
  projectId: string,
  { takenBy, isForced = false, isBackwards = false }: DeliverOptions,
  tried: ReadonlySet<string>,
): Promise<SimulatorMessageRow[]> {
  const { leadMs } = await readStoreState(ctx, projectId)
  const storeNow = ctx.clock.now() + leadMs
  const rows = await listMessages(ctx, projectId)
  const due = rows.filter(({ id, deliverAt }) => !tried.has(id) && (isForced || deliverAt <= storeNow))
  if (due.length === 0) return []
  const now = ctx.clock.now()
  const ids = due.map(({ id }) => id)
  const taken = await ctx.write((tx) => takeMessages(tx, ids, { takenBy, takenUntil: now + HOLD_MS, now }))
  const mine = due.filter(({ id }) => taken.includes(id))
  return isBackwards ? mine.toSorted((a, b) => rank(a) - rank(b) || b.seq - a.seq) : mine
}

/** An app posts when it has something to post; only what stores tell can come in another order. */
const rank = ({ message }: SimulatorMessageRow): number => (message.from === 'app' ? 0 : 1)

async function deliverOne(
  ctx: Context,
  project: ProjectState,
  row: SimulatorMessageRow,
  takenBy: string,
  heard: Heard,
): Promise<void> {
  const { trouble, leadMs } = await readStoreState(ctx, project.id)
  const message = row.message as unknown as Message // As it was sent.
  const copies = message.from === 'app' ? 1 : 1 + trouble.duplicates
  try {
    for (let copy = 0; copy < copies; copy++) {
      await sendMessage(ctx, project, row.deviceKey, message)
      heard.delivered.push(row.type)
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.refusal === 'DATABASE_UNAVAILABLE') throw error
    const isFinal = error.status < 500 && (message.from === 'app' || row.attempts + 1 >= MOST_REFUSALS)
    heard.failed.push({ type: row.type, error: error.message, isFinal })
    await ctx.write((tx) =>
      isFinal
        ? deleteMessage(tx, row.id)
        : updateMessage(tx, row.id, takenBy, afterFailure(row, error, ctx.clock.now() + leadMs)),
    )
    return
  }
  await ctx.write((tx) => deleteMessage(tx, row.id))
}

/** A store gives up what is refused again and again; trouble of ours it outlasts. */
const MOST_REFUSALS = 5

/** Stores try again, ever more rarely. */
function afterFailure({ attempts }: SimulatorMessageRow, error: AppError, storeNow: number) {
  const deliverAt = storeNow + Math.min(5 * SECOND * 2 ** attempts, HOUR)
  return { attempts: attempts + 1, error: error.message, deliverAt, takenBy: null, takenUntil: 0 }
}

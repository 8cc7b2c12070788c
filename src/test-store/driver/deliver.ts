import type { Context } from '../../base/context'
import { AppError, type ErrorCode } from '../../base/errors'
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

/** The result of a delivery. */
export interface Heard {
  /** Types of the accepted messages, in order; a message that was sent twice is listed twice. */
  delivered: string[]
  failed: Failure[]
}

export interface Failure {
  type: string
  code: ErrorCode
  error: string
  /** The message was refused and will not be sent again. */
  isFinal: boolean
}

export interface DeliverOptions {
  takenBy: string
  /** Delivers delayed messages too. */
  isForced?: boolean
  isBackwards?: boolean
  /** Delivers only messages that this process reserved when it wrote them. */
  isOwnOnly?: boolean
}

/** How long a message is reserved for the process that delivers it. */
export const HOLD_MS = 2 * MINUTE

/**
 * Delivers the messages that are due, in the order in which they were written, with the copies that the simulated
 * faults ask for.
 */
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

/** Releases the messages that a command reserved and could not deliver, so that a server can deliver them. */
export const release = (ctx: Context, takenBy: string): Promise<void> => ctx.write((tx) => releaseMessages(tx, takenBy))

/** Delivers the due messages of all projects; a running server calls it. */
export async function deliverWaiting(ctx: Context): Promise<void> {
  for (const projectId of await listWaitingProjects(ctx)) {
    const project = await ctx.state.projects.find(projectId)
    if (project) await deliverDue(ctx, project, { takenBy: ctx.ids.uuid() })
  }
}

async function take(
  ctx: Context,
  projectId: string,
  { takenBy, isForced = false, isBackwards = false, isOwnOnly = false }: DeliverOptions,
  tried: ReadonlySet<string>,
): Promise<SimulatorMessageRow[]> {
  const { leadMs } = await readStoreState(ctx, projectId)
  const storeNow = ctx.clock.now() + leadMs
  const rows = await listMessages(ctx, projectId)
  const due = rows
    .filter((row) => !isOwnOnly || row.takenBy === takenBy)
    .filter(({ id, deliverAt }) => !tried.has(id) && (isForced || deliverAt <= storeNow))
  if (due.length === 0) return []
  const now = ctx.clock.now()
  const ids = due.map(({ id }) => id)
  const taken = await ctx.write((tx) => takeMessages(tx, ids, { takenBy, takenUntil: now + HOLD_MS, now }))
  const mine = due.filter(({ id }) => taken.includes(id))
  return isBackwards ? mine.toSorted((a, b) => rank(a) - rank(b) || b.seq - a.seq) : mine
}

/** The posts of apps come first, in their own order. Only messages of stores can be delivered in another order. */
const rank = ({ message }: SimulatorMessageRow): number => (message.from === 'app' ? 0 : 1)

async function deliverOne(
  ctx: Context,
  project: ProjectState,
  row: SimulatorMessageRow,
  takenBy: string,
  heard: Heard,
): Promise<void> {
  const { trouble, leadMs } = await readStoreState(ctx, project.id)
  const message = row.message as unknown as Message // The row was written by `tell` or `postFromApp`.
  const copies = message.from === 'app' ? 1 : 1 + trouble.duplicates
  try {
    for (let copy = 0; copy < copies; copy++) {
      await sendMessage(ctx, project, row.deviceKey, message)
      heard.delivered.push(row.type)
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.refusal === 'DATABASE_UNAVAILABLE') throw error
    const isFinal = error.status < 500 && (message.from === 'app' || row.attempts + 1 >= MOST_REFUSALS)
    heard.failed.push({ type: row.type, code: error.refusal, error: error.message, isFinal })
    await ctx.write((tx) =>
      isFinal
        ? deleteMessage(tx, row.id)
        : updateMessage(tx, row.id, takenBy, afterFailure(row, error, ctx.clock.now() + leadMs)),
    )
    return
  }
  await ctx.write((tx) => deleteMessage(tx, row.id))
}

/** A store stops sending after this many refusals. After faults of the server (5xx) it keeps trying. */
const MOST_REFUSALS = 5

/** The next attempt: stores wait longer after each failure. */
function afterFailure({ attempts }: SimulatorMessageRow, error: AppError, storeNow: number) {
  const deliverAt = storeNow + Math.min(5 * SECOND * 2 ** attempts, HOUR)
  return { attempts: attempts + 1, error: error.message, deliverAt, takenBy: null, takenUntil: 0 }
}

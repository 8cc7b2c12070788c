import type { Context } from '../../base/context'
import { type Hold, readStoreState } from '../stores/world'
import { HOLD_MS } from './deliver'

/** One command. It reserves the messages that it causes and delivers them itself, before a running server would. */
export interface Session {
  takenBy: string
  takenUntil: number
  isBackwards: boolean
}

export async function newSession(ctx: Context, projectId: string): Promise<Session> {
  const { trouble } = await readStoreState(ctx, projectId)
  return { takenBy: ctx.ids.uuid(), takenUntil: ctx.clock.now() + HOLD_MS, isBackwards: trouble.isReordered }
}

export const holdOf = ({ takenBy, takenUntil }: Session): Hold => ({ takenBy, takenUntil })

import type { Context } from './context'
import type { ReadTurn } from './db/turn-queue'

/**
 * The context for the work of one project or one caller: its long reads take turns with those of other projects, and end
 * when the signal is aborted.
 */
export function contextInTurn(ctx: Context, turn: ReadTurn): Context {
  const { storage } = ctx
  const inTurn: Context['storage'] = {
    ...storage,
    readInThread: (work, own) => storage.readInThread(work, { ...turn, ...own }),
  }
  // What is set on the context later is also seen here.
  return Object.create(ctx, { storage: { value: inTurn }, turn: { value: turn } }) as Context
}

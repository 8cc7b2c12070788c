import type { Context } from './context'
import type { ReadTurn } from './db/turn-queue'

/**
 * The context for the work of one project or one caller: its long reads take turns with those of other projects, and
 * end when the signal is aborted. After answers that held the main thread for long there is a pause, once the read has
 * given its place back.
 */
export function contextInTurn(ctx: Context, turn: ReadTurn): Context {
  const { storage } = ctx
  const debt = ctx.state.longTurns.debt(turn)
  const inTurn: Context['storage'] = {
    ...storage,
    readInThread: async (work, own) => {
      const result = await storage.readInThread(work, { ...turn, held: debt.add, ...own })
      await debt.pay()
      return result
    },
  }
  // Members that are set on the context later are also seen here.
  return Object.create(ctx, { storage: { value: inTurn }, turn: { value: turn } }) as Context
}

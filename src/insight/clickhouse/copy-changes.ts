import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'

/** Copies what waits. ClickHouse that does not answer is tried again with the next run; nothing else waits for it. */
export async function copyChanges(ctx: Context): Promise<void> {
  try {
    await ctx.state.analytics?.copyAll()
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    if (!(error instanceof AppError)) throw error
    throw new Error(`ClickHouse does not answer: ${cause instanceof Error ? cause.message.slice(0, 300) : error.message}`)
  }
}

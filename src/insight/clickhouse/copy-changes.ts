import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { reasonOf } from './doctor'

/** Copies what waits. ClickHouse that does not answer is tried again with the next run; nothing else waits for it. */
export async function copyChanges(ctx: Context): Promise<void> {
  try {
    await ctx.state.analytics?.copyAll()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new Error(`ClickHouse does not answer: ${reasonOf(error)}`)
  }
}

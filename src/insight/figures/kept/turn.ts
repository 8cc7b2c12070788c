import type { Context } from '../../../base/context'
import { waitForOpenWrites } from '../open-writes'
import { lastPosition } from '../rolls/queries'
import { lastMove } from './queries'

/** Saves what was kept since the last time, and finds out up to where everything is committed. */
export async function saveSettledAnswers(ctx: Context): Promise<void> {
  const { answers } = ctx.state
  if (answers.settled) {
    const last = { position: await lastPosition(ctx), moved: await lastMove(ctx) }
    if ((await waitForOpenWrites(ctx)) === 0) answers.settled = last
  }
  await answers.save()
}

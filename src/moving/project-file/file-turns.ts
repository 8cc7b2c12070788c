import type { Context } from '../../base/context'
import { FairQueue } from '../../base/http/fair-queue'
import { SECOND } from '../../base/lib/clock'
import type { FileBody } from './operator-wire'
import { parseBody, readBody } from './parse-body'

/** The calls that wait to have a file read, which is done in one thread. */
export const fileQueue = (): FairQueue =>
  new FairQueue({ places: 4, placesOfGroup: 1, waitingOfGroup: 8, patienceMs: 15 * SECOND })

interface Sender {
  project: { id: string }
  user: { id: string }
  request: Pick<Request, 'signal'>
}

/** Reads a file when it is the turn of its project. 429 `RATE_LIMITED` and 503 `QUEUE_UNAVAILABLE`. */
export function parseInTurn(ctx: Context, { project, user, request: { signal } }: Sender, body: FileBody) {
  const { fileQueue, longTurns } = ctx.state
  return fileQueue.run(project.id, signal, async () => {
    const read = await readBody(ctx, user.id, body)
    return longTurns.run(() => parseBody(ctx, body, read), { group: project.id, signal })
  })
}

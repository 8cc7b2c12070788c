import type { Context } from '../../base/context'
import { FairQueue } from '../../base/http/fair-queue'
import { SECOND } from '../../base/lib/clock'
import type { FileBody } from './operator-wire'
import { parseBody, readBody } from './parse-body'

/** The calls that wait to have a file read, which is done in one thread. */
export const fileQueue = (): FairQueue =>
  new FairQueue({ places: 4, placesOfGroup: 1, waitingOfGroup: 8, patienceMs: 15 * SECOND })

/** Whose call has a file read, and for which project. */
export interface Sender {
  project: { id: string }
  user: { id: string }
  request: Pick<Request, 'signal'>
}

/** Runs work in the main thread that can be long. */
type RunLong = <Result>(work: () => Result) => Promise<Result>

/** Works on a file when it is the turn of its project. 429 `RATE_LIMITED` and 503 `QUEUE_UNAVAILABLE`. */
export function inTurn<Result>(
  { state: { fileQueue, longTurns } }: Context,
  { project, request: { signal } }: Sender,
  work: (runLong: RunLong) => Promise<Result>,
): Promise<Result> {
  const runLong: RunLong = (long) => longTurns.run(long, { group: project.id, signal })
  return fileQueue.run(project.id, signal, () => work(runLong))
}

/** Reads a file when it is the turn of its project. */
export const parseInTurn = (ctx: Context, sender: Sender, body: FileBody) =>
  inTurn(ctx, sender, async (runLong) => {
    const read = await readBody(ctx, sender.user.id, body)
    return runLong(() => parseBody(ctx, body, read))
  })

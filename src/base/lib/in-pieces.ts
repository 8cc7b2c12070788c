import { monotonicMs } from './clock'

/** How long one piece holds the main thread. */
const PIECE_MS = 10
/** The clock is read once for so many items. */
const SOME = 64

/**
 * Uses the items one after the other. After each piece of some milliseconds the event loop serves others. Ends early
 * when `use` returns false.
 */
export async function inPieces<Item>(items: Iterable<Item>, use: (item: Item) => boolean): Promise<void> {
  let count = 0
  let beganMs = monotonicMs()
  for (const item of items) {
    if (!use(item)) return
    if (++count % SOME > 0 || monotonicMs() - beganMs < PIECE_MS) continue
    await new Promise(setImmediate)
    beganMs = monotonicMs()
  }
}

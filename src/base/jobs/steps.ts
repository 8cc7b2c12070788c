import { assertAwaited } from '../db/caller'
import { monotonicMs } from '../lib/clock'

/** A long computation on the main thread lets others run after so long. */
const TURN_MS = 10

/**
 * To be awaited between the steps of a computation that may take long: requests are answered meanwhile, and it ends
 * when no caller waits for it any more.
 */
export function betweenSteps(signal: AbortSignal | undefined): () => Promise<void> {
  let began = monotonicMs()
  return async () => {
    if (monotonicMs() - began < TURN_MS) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    began = monotonicMs()
    assertAwaited(signal)
  }
}

import { monotonicMs } from '../lib/clock'

/** How long a server rests after a batch, measured by the time that the batch took. */
const IDLE_SHARE = 0.25
const MAX_IDLE_MS = 250
/** In less time the load is not known. */
const MIN_IDLE_MS = 10
/** The same while it has callers: its work for them then keeps four fifths of its speed. */
const BUSY_SHARE = 4
const MAX_BUSY_MS = 1000
/** The load of a processor during a rest from which on somebody else is served. */
const BUSY_LOAD = 0.3

/** Rests after a batch. How much else there is to do is found out in the first part of the rest. */
export async function rest(workedMs: number): Promise<void> {
  const load = await loadDuring(Math.min(Math.max(workedMs * IDLE_SHARE, MIN_IDLE_MS), MAX_IDLE_MS))
  if (load > BUSY_LOAD) await Bun.sleep(Math.min(workedMs * (BUSY_SHARE - IDLE_SHARE), MAX_BUSY_MS))
}

async function loadDuring(sleepMs: number): Promise<number> {
  const startedAtMs = monotonicMs()
  const before = process.cpuUsage()
  await Bun.sleep(sleepMs)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / Math.max(1, monotonicMs() - startedAtMs)
}

import { existsSync, readFileSync } from 'node:fs'
import { monotonicMs } from '../lib/clock'

/** How long a server rests after a batch, measured by the time that the batch took. */
const IDLE_SHARE = 0.25
const MAX_IDLE_MS = 250
/** In less time the load is not known. */
const MIN_IDLE_MS = 10
/** The same while it has callers: its work for them then keeps four fifths of its speed. */
const BUSY_SHARE = 4
const MAX_BUSY_MS = 1000
/** The load of a processor during a rest from which on other work is served. */
const BUSY_LOAD = 0.3

/** Rests after a batch. How much else there is to do is found out in the first part of the rest. */
export async function rest(workedMs: number): Promise<void> {
  const load = await loadDuring(Math.min(Math.max(workedMs * IDLE_SHARE, MIN_IDLE_MS), MAX_IDLE_MS))
  if (load > BUSY_LOAD) await Bun.sleep(Math.min(workedMs * (BUSY_SHARE - IDLE_SHARE), MAX_BUSY_MS))
}

async function loadDuring(sleepMs: number): Promise<number> {
  const startedAtMs = monotonicMs()
  const [before, mainBefore] = [process.cpuUsage(), readMainThread()]
  await Bun.sleep(sleepMs)
  const { user, system } = process.cpuUsage(before)
  const elapsedMs = Math.max(1, monotonicMs() - startedAtMs)
  const ofMain = demandOf(mainBefore, readMainThread(), elapsedMs)
  return Math.max((user + system) / 1000 / elapsedMs, ofMain)
}

/** How long a thread has run, and how long it could have run but had to wait for a processor. */
interface ThreadTimes {
  ranMs: number
  waitedMs: number
}

/**
 * The share of the time in which a thread had something to do, as it would be on a machine of its own: beside other
 * programs a thread that has much to do runs little. 0 where it is not known.
 */
export function demandOf(before: ThreadTimes | null, after: ThreadTimes | null, elapsedMs: number): number {
  if (!before || !after) return 0
  const ranMs = after.ranMs - before.ranMs
  const atChoiceMs = elapsedMs - (after.waitedMs - before.waitedMs)
  return Math.min(1, ranMs / Math.max(1, ranMs, atChoiceMs))
}

/** Linux reports them for each thread; the first thread has the number of the process. */
function readMainThread(): ThreadTimes | null {
  const path = `/proc/self/task/${process.pid}/schedstat`
  if (!existsSync(path)) return null
  const [ranNs = 0, waitedNs = 0] = readFileSync(path, 'utf8').split(' ').map(Number)
  return { ranMs: ranNs / 1e6, waitedMs: waitedNs / 1e6 }
}

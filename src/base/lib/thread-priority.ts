import { setPriority } from 'node:os'

/** Requests are answered by the main thread: where processors are scarce, it comes before long work in other threads. */
const NICENESS = 5

/** Called by a thread. On Linux this is the priority of this thread alone; elsewhere nothing is changed. */
export function beNice(): void {
  if (process.platform === 'linux') setPriority(0, NICENESS)
}

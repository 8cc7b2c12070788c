import { makeStore } from '../lib/store'

/** A list that is being written into a file. It continues when the list is left. */
export interface RunningExport {
  file: string
  /** Rows that were read so far. */
  read: number
  stop: () => void
}

/** By the list that is read, see `keyOf` of `use-export.ts`. */
export const runningExports = makeStore<Readonly<Record<string, RunningExport>>>({})

export function setRunning(key: string, one: RunningExport | null): void {
  const { [key]: _, ...others } = runningExports.get()
  runningExports.set(one === null ? others : { ...others, [key]: one })
}

/** Nothing that a person started to read is saved after they have signed out. */
export function stopExports(): void {
  for (const { stop } of Object.values(runningExports.get())) stop()
}

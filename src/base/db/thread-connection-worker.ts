import { setPriority } from 'node:os'
import { Connection } from './connection'
import { scanOverflow, scanPages } from './page-reader'
import type { ThreadAnswer, ThreadRequest } from './thread-connection'

declare const self: Worker

const BUSY_TIMEOUT_MS = 50

/** Requests are answered by the main thread: where processors are scarce, it comes before long reads. */
const NICENESS = 5

let connection: Connection | null = null

beNice()

self.onmessage = async ({ data }: MessageEvent<ThreadRequest>) => {
  if (data !== null) return self.postMessage(await answer(data))
  connection?.close()
  process.exit() // In a worker this ends only the thread, not the process.
}

async function answer({ path, id, work }: NonNullable<ThreadRequest>): Promise<ThreadAnswer> {
  try {
    connection ??= new Connection(path, BUSY_TIMEOUT_MS)
    return { id, result: await perform(connection, work) }
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown }
    return { id, error: { message, code } }
  }
}

/** On Linux this is the priority of this thread alone; elsewhere nothing is changed. */
function beNice(): void {
  if (process.platform === 'linux') setPriority(0, NICENESS)
}

function perform(open: Connection, work: NonNullable<ThreadRequest>['work']): unknown {
  if ('sql' in work) return open.execute(work)
  return 'scan' in work ? scanPages(open, work.scan) : scanOverflow(open)
}

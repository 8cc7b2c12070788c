import type { ThreadAnswer } from '../lib/thread'
import { beNice } from '../lib/thread-priority'
import { Connection } from './connection'
import { scanOverflow, scanPages } from './page-reader'
import type { ReadRequest } from './thread-connection'

declare const self: Worker

const BUSY_TIMEOUT_MS = 50

let connection: Connection | null = null

beNice()

self.onmessage = async ({ data }: MessageEvent<ReadRequest>) => {
  if (data !== null) return self.postMessage(await answer(data))
  connection?.close()
  process.exit() // In a worker this ends only the thread, not the process.
}

async function answer({ id, work: { path, work } }: NonNullable<ReadRequest>): Promise<ThreadAnswer> {
  try {
    connection ??= new Connection(path, BUSY_TIMEOUT_MS)
    return { id, result: await perform(connection, work) }
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown }
    return { id, error: { message, code } }
  }
}

function perform(open: Connection, work: NonNullable<ReadRequest>['work']['work']): unknown {
  if ('sql' in work) return open.execute(work)
  return 'scan' in work ? scanPages(open, work.scan) : scanOverflow(open)
}

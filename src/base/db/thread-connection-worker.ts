import { Connection } from './connection'
import type { ThreadAnswer, ThreadRequest } from './thread-connection'

declare const self: Worker

const BUSY_TIMEOUT_MS = 50

let connection: Connection | null = null

self.onmessage = async ({ data }: MessageEvent<ThreadRequest>) => {
  if (data !== null) return self.postMessage(await answer(data))
  connection?.close()
  process.exit() // In a worker this ends only the thread, not the process.
}

async function answer({ path, id, statement }: NonNullable<ThreadRequest>): Promise<ThreadAnswer> {
  try {
    connection ??= new Connection(path, BUSY_TIMEOUT_MS)
    return { id, result: await connection.execute(statement) }
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown }
    return { id, error: { message, code } }
  }
}

import type { Asked, Told } from './aside'
import { Connection } from './connection'

declare const self: Worker

const BUSY_TIMEOUT_MS = 50

let connection: Connection | null = null

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  if (data !== null) return self.postMessage(await answer(data))
  connection?.close()
  process.exit() // Of this thread alone.
}

async function answer({ path, id, statement }: NonNullable<Asked>): Promise<Told> {
  try {
    connection ??= new Connection(path, BUSY_TIMEOUT_MS)
    return { id, result: await connection.execute(statement) }
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown }
    return { id, error: { message, code } }
  }
}

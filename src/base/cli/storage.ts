import type { Config } from '../config'
import type { Storage } from '../db/handle'
import { CommandFailure, type Io } from './command'
import { openFailure } from './context'

/** Opens only the database, for commands that must not create a key file, and closes it after the work. */
export async function withStorage<Result>(
  { program }: Pick<Io, 'program'>,
  config: Config,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await program.openStorage(config).catch((error: unknown) => {
    throw new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error, config))
  })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Aborts when the process is asked to stop, so that long work can end cleanly. */
export function stopSignal(io: Pick<Io, 'stopped'>): AbortSignal {
  const controller = new AbortController()
  void io.stopped.then(() => controller.abort())
  return controller.signal
}

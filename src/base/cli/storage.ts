import { existsSync } from 'node:fs'
import type { Config } from '../config'
import type { Storage } from '../db/handle'
import { CommandFailure, type Io } from './command'
import { openFailure } from './context'

/** The database alone, for commands that must not make a key file or anything else; closed after the work. */
export async function withStorage<Result>(
  { program }: Pick<Io, 'program'>,
  config: Config,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await program.openStorage(config).catch((error: unknown) => {
    throw new CommandFailure(openFailure(error))
  })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** The path of a database file that is not there; null when it is, or when the database is no file. */
export const missingFile = ({ database }: Config): string | null =>
  database.kind === 'file' && !existsSync(database.path) ? database.path : null

/** Aborts when the process is told to stop, so that long work ends in order. */
export function stopSignal(io: Pick<Io, 'stopped'>): AbortSignal {
  const controller = new AbortController()
  void io.stopped.then(() => controller.abort())
  return controller.signal
}

import { existsSync } from 'node:fs'
import type { Config } from '../config'
import { CommandFailure } from './command'

/** The path of the database file when it does not exist; null when it exists or the database is not a file. */
export const missingFile = ({ database }: Config): string | null =>
  database.kind === 'file' && !existsSync(database.path) ? database.path : null

/** What to do when there is no database file at this path, in one sentence. */
export const missingSentence = (path: string): string =>
  `There is no database at ${path}; make one with svc migrate, or name another folder with --data DIR (SVC_DATA_DIR).`

/** Refuses a configuration whose database file does not exist, for commands that must not create one. */
export function assertPresent(config: Config): void {
  const path = missingFile(config)
  if (path !== null) throw new CommandFailure('DATABASE_UNAVAILABLE', missingSentence(path))
}

import type { Io } from '../../base/cli/command'

/** One command below `svc store`. */
export interface StoreCommand {
  /** The words after `svc store`: `connect ios`. */
  words: string
  /** Its lines in the help, each with `svc store` in front. */
  usage: string
  /** The fields of its services by their options, as in `Command`. */
  optionOf?: Readonly<Record<string, string>>
  /** Gets what follows the words. Returns the exit code. */
  run(args: readonly string[], io: Io): Promise<number>
}

import type { Io } from '../../base/cli/command'

/** One action of `svc webhook`. It reads its own options. */
export interface CommandAction {
  /** Its lines in the help of the command. */
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

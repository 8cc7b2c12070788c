import type { Command } from './command'
import { migrateCommand } from './migrate'
import { serveCommand } from './serve'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [serveCommand, migrateCommand]

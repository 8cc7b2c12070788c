import type { Command } from './command'
import { keyCommand } from './key'
import { migrateCommand } from './migrate'
import { projectCommand } from './project'
import { serveCommand } from './serve'
import { simulateCommand } from './simulate'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [serveCommand, migrateCommand, projectCommand, keyCommand, simulateCommand]

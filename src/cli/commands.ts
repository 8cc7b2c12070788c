import type { Command, Program } from '../base/cli/command'
import type { Slice } from '../base/slice'
import { backupCommand } from './backup'
import { demoCommand } from './demo'
import { doctorCommand } from './doctor'
import { migrateCommand } from './migrate'
import { openapiCommand } from './openapi'
import { inOrder } from './order'
import { restoreCommand } from './restore'
import { schemaCommand } from './schema'
import { serveCommand } from './serve'

/** The commands of the whole program. The commands of a slice are in its manifest. */
const PROGRAM_COMMANDS: readonly Command[] = [
  serveCommand,
  migrateCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  openapiCommand,
  schemaCommand,
  demoCommand,
]

/** The order of the commands in the help: the ones that people need first come first. */
const ORDER = [
  'serve',
  'migrate',
  'project',
  'key',
  'user',
  'member',
  'token',
  'audit',
  'outbox',
  'identity',
  'apply',
  'export',
  'flag',
  'experiment',
  'funnel',
  'asset',
  'font',
  'grant',
  'refund',
  'schedule',
  'domain',
  'webhook',
  'simulate',
  'store',
  'store-events',
  'refund-shield',
  'listen',
  'ask',
  'mcp',
  'query',
  'usage',
  'billing',
  'analytics',
  'reconcile',
  'purchases',
  'rates',
  'export-data',
  'dsar',
  'import',
  'compare',
  'sdk-door',
  'tls',
  'doctor',
  'backup',
  'restore',
  'openapi',
  'schema',
  'sdk',
  'types',
  'demo',
]

/** Every command of a program with these slices, in the order of the help. Throws when two commands have one name. */
export function commandsOf(slices: readonly Slice[]): readonly Command[] {
  const all = [...PROGRAM_COMMANDS, ...slices.flatMap(({ commands }) => commands ?? [])]
  const repeated = all.find(({ name }, at) => all.findIndex((other) => other.name === name) !== at)
  if (repeated) throw new Error(`two commands are named ${repeated.name}`)
  return inOrder(all, ORDER, ({ name }) => name)
}

/** A command of a program. The commands of the slices are loaded only for a name that the program itself does not have. */
export function findCommand(program: Program, name: string): Command | undefined {
  const isNamed = (command: Command) => command.name === name
  return PROGRAM_COMMANDS.find(isNamed) ?? program.commands.find(isNamed)
}

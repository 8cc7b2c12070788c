import { type Command, CommandFailure, type Io, UsageError } from '../base/cli/command'
import { reasonOf } from '../base/cli/reason'
import { ConfigError } from '../base/config'
import { MigrationError } from '../base/db/migrate'
import { AppError } from '../base/errors'
import { VERSION } from '../base/version'

/** Runs one command line and returns its exit code. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return printHelp(io)
  if (name === '--version' || name === 'version') return print(io, VERSION)
  const command = io.program.commands.find((candidate) => candidate.name === name)
  if (!command) return wrongUsage(io, `There is no command "${name}"; see: svc --help`)
  if (args.includes('--help') || args.includes('-h')) return print(io, command.help.trim())
  return runCommand(command, args, io)
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<number> {
  try {
    return await command.run(args, io)
  } catch (error) {
    io.progress(null)
    return failed(command, error, io)
  }
}

function failed(command: Command, error: unknown, io: Io): number {
  if (error instanceof ConfigError) {
    for (const fault of error.faults) io.err(fault)
    return 2
  }
  if (error instanceof UsageError || isParseArgsError(error))
    return wrongUsage(io, `${(error as Error).message.split('. To specify')[0]} (see: svc ${command.name} --help)`)
  io.err(oneSentence(error))
  return 1
}

function oneSentence(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof MigrationError) return error.message
  if (error instanceof AppError)
    return error.cause === undefined ? error.message : `${error.message} (${reasonOf(error.cause)})`
  return `It failed: ${reasonOf(error)}`
}

const isParseArgsError = (error: unknown): boolean =>
  error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')

function printHelp(io: Io): number {
  const { commands } = io.program
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const head = `svc ${VERSION}: one executable for the subscription truth of an app\n\nUsage: svc <command> [options]\n`
  return print(io, [head, ...lines, '\nEvery command: --data DIR, --json, --help (with an example).'].join('\n'))
}

function print(io: Io, text: string): number {
  io.out(text)
  return 0
}

function wrongUsage(io: Io, sentence: string): number {
  io.err(sentence)
  return 2
}

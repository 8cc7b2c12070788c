import type { Command, Io } from '../base/cli/command'
import { VERSION } from '../base/version'
import { findCommand } from './commands'
import { type Failure, failureOf, unknownCommand } from './failure'

/** Runs one command line and returns its exit code. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...args] = argv
  const [asked] = args
  if (name === 'help' && asked !== undefined) return runCommandLine([asked, '--help'], io)
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return printHelp(io)
  if (name === '--version' || name === '-v' || name === 'version') return print(io, VERSION)
  const command = findCommand(io.program, name)
  if (!command) return report(unknownCommand(name, namesOf(io)), argv, io)
  if (args.includes('--help') || args.includes('-h')) return print(io, command.help.trim())
  return runCommand(command, args, io)
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<number> {
  try {
    return await command.run(args, io)
  } catch (error) {
    io.progress(null)
    return report(failureOf(command, error), args, io)
  }
}

/** One sentence on stderr for people. With `--json` also the failure envelope on stdout, where scripts read. */
function report({ exitCode, lines, refusal }: Failure, args: readonly string[], io: Io): number {
  for (const line of lines) io.err(line)
  if (args.includes('--json')) io.out(JSON.stringify({ error: refusal }))
  return exitCode
}

/** Every name that may be the first word of a command line. */
const namesOf = ({ program }: Io): string[] => ['help', 'version', ...program.commands.map(({ name }) => name)]

function printHelp(io: Io): number {
  const { commands } = io.program
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const head = `svc ${VERSION}: self-hosted subscription backend in one executable\n\nUsage: svc <command> [options]\n`
  return print(io, [head, ...lines, '\nEvery command: --data DIR, --json, --help (with an example).'].join('\n'))
}

function print(io: Io, text: string): number {
  io.out(text)
  return 0
}

import { createInterface as readLines } from 'node:readline'
import { createInterface } from 'node:readline/promises'
import type { Io } from './base/cli/command'
import { INSTALLATION } from './base/cli/installation'
import { systemClock } from './base/lib/clock'
import { runCommandLine } from './cli/main'
import { QUERY_PROCESS } from './insight/sql-editor/child/spawn'
import { PROGRAM } from './program'

/** The streams, signals and environment of the process, for the command line. */
function processIo(): Io {
  const isTerminal = process.stdout.isTTY === true && process.stdin.isTTY === true
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    isTerminal,
    env: process.env,
    clock: systemClock,
    confirm: async (question) => isTerminal && /^y(es)?$/i.test((await ask(`${question} [y/N]`)).trim()),
    ...(isTerminal && { ask }),
    input: () => Bun.stdin.text(),
    lines: () => readLines({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }),
    progress: (line) => {
      if (process.stderr.isTTY) process.stderr.write(line === null ? '\r\x1b[K' : `\r\x1b[K${line}`)
    },
    program: PROGRAM,
    installation: INSTALLATION,
    stopped: new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    }),
  }
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} `)
  terminal.close()
  return answer
}

// Every file is for this user only, whatever its folder allows: the database with its log, the key, backups, exports. The
// mask is that of the whole process, threads and native libraries included.
process.umask(0o077)

const args = process.argv.slice(2)
if (args[0] === QUERY_PROCESS)
  void import('./insight/sql-editor/child/main').then(({ runQueryProcess }) => runQueryProcess())
// Exit only after stdout has ended: an earlier exit would cut long output to a pipe.
else void runCommandLine(args, processIo()).then((code) => process.stdout.end(() => process.exit(code)))

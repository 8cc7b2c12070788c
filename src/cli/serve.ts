import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, type Program, type RunningServer } from '../base/cli/command'
import { openFailure } from '../base/cli/context'
import { environmentOf } from '../base/cli/installation'
import { type Config, readConfig } from '../base/config'
import type { Context } from '../base/context'
import { MigrationError } from '../base/db/migrate'
import { InternalPortError } from '../base/http/internal'
import { makeSetupLink } from '../operators/sign-in/setup'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'migrate the database, then answer requests until SIGTERM',
  help: `
svc serve [--host 127.0.0.1] [--port 3000] [--data DIR] [--json]

  --port 0 picks a free port. The ready line is "listening on http://HOST:PORT"; with --json it is
  {"url":"http://HOST:PORT"}. While nobody has an account for the dashboard, the next line has a link to make the first
  one; with --json it is "setupLink". Everything else is configured by the SVC_ variables, which the server lists at
  /docs/guide/reference/configuration.

Example: svc serve --host 0.0.0.0 --port 3000 --data /var/lib/svc`,
  async run(args, io) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        host: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    const config = readConfig(environmentOf(io, values), values)
    const ctx = await createContext(io, config)
    const server = await startOrFail(io.program, ctx)
    const setupLink = await makeSetupLink(ctx)
    io.out(values.json ? JSON.stringify(readiness(server.url, setupLink)) : readyLines(server.url, setupLink))
    await io.stopped
    await server.stop()
    return 0
  },
}

const readiness = (url: string, setupLink: string | null) => (setupLink === null ? { url } : { url, setupLink })

/** One text, because whoever waits for its first line may close the pipe after it. */
const readyLines = (url: string, setupLink: string | null): string =>
  `listening on ${url}${setupLink === null ? '' : `\nnobody has an account yet; make the first one at ${setupLink}`}`

/** Starts the server; throws a `CommandFailure` with one sentence when it cannot. */
export async function startOrFail(program: Program, ctx: Context): Promise<RunningServer> {
  try {
    return await program.startServer(ctx)
  } catch (error) {
    await ctx.close()
    if (error instanceof MigrationError) throw error
    throw startFailure(ctx, error)
  }
}

/** Why the server did not start, in one sentence. */
export function startFailure({ config }: Pick<Context, 'config'>, error: unknown): CommandFailure {
  const { host, port, internalPort } = config
  if (error instanceof InternalPortError && (error.cause as SystemError).code === 'EADDRNOTAVAIL')
    return new CommandFailure(
      'HTTP_ERROR',
      `${config.internalHost} is no address of this machine; choose another with SVC_INTERNAL_HOST (0.0.0.0 for all).`,
    )
  if (error instanceof InternalPortError)
    return portFailure(error.cause, `The internal port ${internalPort}`, 'SVC_INTERNAL_PORT (0 for none)')
  const { code, syscall } = error as SystemError
  if (code === 'EADDRINUSE' || code === 'EACCES') return portFailure(error, `Port ${port} of ${host}`, '--port')
  if (syscall === 'listen' || syscall === 'bind' || code === 'EADDRNOTAVAIL') {
    const sentence = `${host} is no address of this machine; choose another with --host (0.0.0.0 for all).`
    return new CommandFailure('HTTP_ERROR', sentence)
  }
  return new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error, config))
}

interface SystemError {
  code?: unknown
  syscall?: unknown
}

function portFailure(error: unknown, port: string, option: string): CommandFailure {
  if ((error as SystemError).code === 'EACCES')
    return new CommandFailure(
      'FORBIDDEN',
      `${port} may not be used by this user; choose one above 1023 with ${option}.`,
    )
  return new CommandFailure('CONFLICT', `${port} is in use; choose another with ${option}.`)
}

async function createContext({ program, clock }: Io, config: Config): Promise<Context> {
  try {
    return await program.createContext(config, { clock })
  } catch (error) {
    throw new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error, config))
  }
}

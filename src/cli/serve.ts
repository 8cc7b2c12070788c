import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Program, type RunningServer } from '../base/cli/command'
import { openFailure } from '../base/cli/context'
import { readConfig } from '../base/config'
import type { Context } from '../base/context'
import { MigrationError } from '../base/db/migrate'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'migrate the database, then answer requests until SIGTERM',
  help: `
svc serve [--host 127.0.0.1] [--port 3000] [--data DIR] [--json]

  --port 0 picks a free port. The ready line is "listening on http://HOST:PORT"; with --json it is
  {"url":"http://HOST:PORT"}. Everything else is configured by the SVC_ variables, which the server lists at
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
    const config = readConfig(io.env, values)
    const ctx = await orFailure(io.program.createContext(config, { clock: io.clock }), openFailure)
    const server = await startOrFail(io.program, ctx)
    io.out(values.json ? JSON.stringify({ url: server.url }) : `listening on ${server.url}`)
    await io.stopped
    await server.stop()
    return 0
  },
}

/** Starts the server; throws a `CommandFailure` with one sentence when it cannot. */
export async function startOrFail(program: Program, ctx: Context): Promise<RunningServer> {
  try {
    return await program.startServer(ctx)
  } catch (error) {
    await ctx.close()
    if (error instanceof MigrationError) throw error
    throw new CommandFailure(startFailure(ctx, error))
  }
}

/** Why the server did not start, in one sentence. */
export function startFailure({ config }: Context, error: unknown): string {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (code === 'EADDRINUSE')
    return `Port ${config.port} (or the internal port ${config.internalPort}) of ${config.host} is in use; choose another with --port or SVC_INTERNAL_PORT.`
  if (code === 'EACCES') return `Port ${config.port} may not be used by this user; choose one above 1023 with --port.`
  if (syscall === 'listen' || syscall === 'bind' || code === 'EADDRNOTAVAIL')
    return `${config.host} is no address of this machine; choose another with --host (0.0.0.0 for all).`
  return openFailure(error)
}

async function orFailure<Result>(work: Promise<Result>, sentence: (error: unknown) => string): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw new CommandFailure(sentence(error))
  }
}

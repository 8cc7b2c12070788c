import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, type Program, type RunningServer } from '../base/cli/command'
import { openFailure } from '../base/cli/context'
import { environmentOf } from '../base/cli/installation'
import { type Config, readConfig } from '../base/config'
import type { Context } from '../base/context'
import { MigrationError } from '../base/db/migrate'
import { InternalPortError } from '../base/http/internal'
import { makeSetupLink } from '../operators/sign-in/setup'
import { PublicPortError } from '../operators/tls/listeners'
import { CertificateFilesError } from '../operators/tls/serve'
import { requireTerms } from '../operators/tls/terms'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'migrate the database, then answer requests until SIGTERM',
  help: `
svc serve [--host 127.0.0.1] [--port 3000] [--data DIR] [--json]
svc serve --domain NAME [--domain NAME] [--accept-ca-terms]

  --port 0 picks a free port. The ready line is "listening on http://HOST:PORT"; with --json it is
  {"url":"http://HOST:PORT"}. While nobody has an account for the console, the next line has a link to make the first
  one; with --json it is "setupLink". Everything else is configured by the SVC_ variables, which the server lists at
  /docs/guide/reference/configuration.

  --domain NAME       answers https on port 443 itself, with a certificate for NAME that svc gets and renews; port 80 proves
                      the name to the certificate authority and sends browsers to https. An IP address is a name too.
                      It is refused beside certificate files of your own (SVC_TLS=files:…).
                      The page /docs/guide/https has the rest.
  --accept-ca-terms   accepts the terms of the certificate authority; on a terminal svc asks instead

Example: svc serve --host 0.0.0.0 --port 3000 --data /var/lib/svc
          svc serve --domain svc.example.com --accept-ca-terms`,
  async run(args, io) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        host: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        json: { type: 'boolean' },
        domain: { type: 'string', multiple: true },
        'accept-ca-terms': { type: 'boolean' },
      },
    })
    const flags = { ...values, domains: values.domain ?? [], areTermsAccepted: values['accept-ca-terms'] ?? false }
    const config = readConfig(environmentOf(io, values), flags)
    const ctx = await createContext(io, config)
    await orClose(ctx, () => requireTerms(ctx, io))
    const server = await startOrFail(io.program, ctx)
    const setupLink = await makeSetupLink(ctx)
    const url = config.tls.mode === 'off' ? server.url : (config.publicBaseUrl ?? server.url)
    io.out(values.json ? JSON.stringify(readiness(url, setupLink)) : readyLines(url, setupLink))
    await io.stopped
    await server.stop()
    return 0
  },
}

/** Does a step before the start, and closes the database when it fails. */
async function orClose(ctx: Context, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    await ctx.close()
    throw error
  }
}

const readiness = (url: string, setupLink: string | null) => (setupLink === null ? { url } : { url, setupLink })

/** One text, because a reader that waits for the first line may close the pipe after it. */
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
  if (error instanceof CertificateFilesError) return new CommandFailure('VALIDATION_ERROR', `${error.message}.`)
  if (error instanceof PublicPortError) return publicPortFailure(error, config.tls.host)
  const { code, syscall } = error as SystemError
  if (code === 'EADDRINUSE' || code === 'EACCES') return portFailure(error, `Port ${port} of ${host}`, '--port')
  if (syscall === 'listen' || syscall === 'bind' || code === 'EADDRNOTAVAIL') {
    const sentence = `${host} is no address of this machine; choose another with --host (0.0.0.0 for all).`
    return new CommandFailure('HTTP_ERROR', sentence)
  }
  return new CommandFailure('DATABASE_UNAVAILABLE', openFailure(error, config))
}

/** Ports below 1024 need a right that an ordinary user does not have. */
function publicPortFailure({ port, variable, cause }: PublicPortError, host: string | null): CommandFailure {
  const { code } = cause as SystemError
  if (code === 'EACCES') {
    const how = 'give the program the right (setcap cap_net_bind_service=+ep, or AmbientCapabilities of systemd)'
    return new CommandFailure('FORBIDDEN', `Port ${port} may not be used by this user; ${how}, or set ${variable}.`)
  }
  if (code === 'EADDRINUSE')
    return new CommandFailure(
      'CONFLICT',
      `Port ${port} is in use; stop the program that has it (see: ss -ltnp), or set ${variable}.`,
    )
  return new CommandFailure('HTTP_ERROR', `${host} is no address of this machine; choose another with SVC_HOST.`)
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

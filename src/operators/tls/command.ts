import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { type NameStatus, renewNow, tlsStatus, toWire } from './status'

export const tlsCommand: Command = {
  name: 'tls',
  summary: 'show the certificates of this server, or renew one now',
  help: `
svc tls status [--json]
svc tls renew NAME

status lists every name that the server gets a certificate for: the domains of SVC_DOMAINS and --domain, and the verified
custom domains of funnels. Its exit code is 1 when one of them has no valid certificate.

renew asks the running server for a new certificate at once, also while it waits after a failure; svc tls status then shows
how that ended. Certificate authorities limit how often a name gets one.

  --data DIR, --json

Example: svc tls renew svc.example.com`,
  run(args, io) {
    const options = { data: { type: 'string' }, json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values.json ?? false)
    return withContext(io, values, (ctx) => work(ctx, io))
  },
}

type Work = (ctx: Context, io: Io) => Promise<number>

function toWork([action, name, ...more]: readonly string[], isJson: boolean): Work {
  if (action === 'status' && name === undefined) return (ctx, io) => showStatus(ctx, io, isJson)
  if (action === 'renew' && name !== undefined && more.length === 0) return (ctx, io) => renew(ctx, io, name, isJson)
  throw new UsageError(action === 'renew' ? 'name one host: svc tls renew NAME' : 'tls takes status or renew')
}

async function showStatus(ctx: Context, io: Io, isJson: boolean): Promise<number> {
  const { mode, fault, names } = await tlsStatus(ctx)
  if (fault !== null) throw invalid(fault)
  if (isJson) io.out(JSON.stringify({ mode, names: names.map(toWire) }))
  else io.out(names.length === 0 ? NOTHING : table([HEAD, ...names.map(toLine)]))
  return names.every(({ status }) => status === 'VALID') ? 0 : 1
}

const NOTHING = 'This server gets no certificates; see: svc serve --help'

const HEAD = ['name', 'status', 'until', 'issuer', 'next attempt', 'error']

function toLine(status: NameStatus): string[] {
  const { name, status: state, notAfter, issuer, nextAttemptAt, error } = toWire(status)
  return [
    name,
    state,
    notAfter ?? '-',
    issuer ?? '-',
    nextAttemptAt ?? '-',
    error ? `${error.code}: ${error.detail}` : '-',
  ]
}

async function renew(ctx: Context, io: Io, given: string, isJson: boolean): Promise<number> {
  if (ctx.config.tls.files)
    throw new UsageError('SVC_TLS names files; replace them, and the running server serves the new ones')
  const name = await renewNow(ctx, CLI_ACTOR, given)
  io.out(
    isJson
      ? JSON.stringify({ name, isAsked: true })
      : `The running server gets a new certificate for ${name} now; see: svc tls status`,
  )
  return 0
}

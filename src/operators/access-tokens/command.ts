import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { createTokenOf, listTokensOf, revokeToken } from './command-service'

const options = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  days: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  token: { type: 'string' },
} as const

export const tokenCommand: Command = {
  name: 'token',
  summary: 'make, list or revoke personal access tokens, with which scripts act for a person',
  optionOf: { name: '--name', scopes: '--scopes' },
  help: `
svc token create USER [--name NAME] [--scopes LIST] [--days N]
svc token list [USER]
svc token revoke ID

The token is printed once, and the database has its hash only. A script gives it to a command with --url in SVC_TOKEN or
--token, and to the API as "Authorization: Bearer svc_pat_…". This command does not work at a server, because a token
neither makes nor reads tokens: use the machine of the server, or the account page of the console in a browser.

  USER           whose token it is, by mail address or usr_ id
  --name NAME    by which its owner recognises it (command line)
  --scopes LIST  read, for every GET and no change; or capabilities with commas between them: flags:write,audiences:write;
                 or both. Without it, everything that USER may do.
  --days N       its life, 1 to 3650 days (90); never gives it no end
  --data DIR, --json

Example: svc token create ada@example.com --name CI --scopes project:read,flags:write --days 30`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    refuseServer(io, values)
    const work = toWork(positionals, values)
    return withContext(io, values, (ctx) => work(ctx, io))
  },
}

/** A token is refused by the routes of tokens, so nothing here can be done at a server. */
function refuseServer({ env }: Io, { url, token, data }: Values): void {
  const isServer = url !== undefined || token !== undefined || (data === undefined && Boolean(env.SVC_URL?.trim()))
  if (!isServer) return
  const why = 'token works on the machine of the server only, because a token neither makes nor reads tokens'
  throw new UsageError(`${why}; use the console, or leave out --url and SVC_URL`)
}

type Work = (ctx: Context, io: Io) => Promise<number>

interface Values {
  name?: string | undefined
  scopes?: string | undefined
  days?: string | undefined
  data?: string | undefined
  json?: boolean | undefined
  url?: string | undefined
  token?: string | undefined
}

function toWork([action, named, ...more]: readonly string[], values: Values): Work {
  if (more.length > 0) throw new UsageError(`token takes one name, not "${more.join(' ')}" too`)
  if (action !== 'create' && (values.name ?? values.scopes ?? values.days) !== undefined)
    throw new UsageError('--name, --scopes and --days belong to: svc token create')
  if (action === 'create') return create(required(named, 'name the user by address or id'), values)
  if (action === 'list') return list(named ?? null, values)
  if (action === 'revoke') return revoke(toId(named), values)
  throw new UsageError('token takes create, list or revoke')
}

function required(text: string | undefined, otherwise: string): string {
  if (!text) throw new UsageError(otherwise)
  return text
}

/** The output must not contain the text of a token that the caller gives. */
function toId(text = ''): string {
  if (/^pat_\w{1,40}$/.test(text)) return text
  throw new UsageError('name the token by its pat_ id; see: svc token list')
}

function create(user: string, { name = 'command line', scopes, days, json }: Values): Work {
  const wish = { name, scopes: scopes === undefined ? null : scopes.split(','), days: readDays(days) }
  return async (ctx, io) => {
    const made = await createTokenOf(ctx, user, wish)
    if (json) io.out(JSON.stringify(made))
    else
      io.out(
        table([
          ['id', made.id],
          ['user', made.email],
          ['scopes', scopesText(made.scopes)],
          ['expires', made.expiresAt ?? 'never'],
          ['token', made.token],
        ]),
      )
    return 0
  }
}

const MAX_DAYS = 3650

function readDays(text = '90'): number | null {
  if (text === 'never') return null
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > MAX_DAYS) throw new UsageError(`--days takes 1 to ${MAX_DAYS}, or never, not "${text}"`)
  return days
}

const list =
  (user: string | null, { json }: Values): Work =>
  async (ctx, io) => {
    const tokens = await listTokensOf(ctx, user)
    if (json) io.out(JSON.stringify({ tokens }))
    else io.out(table([HEAD, ...tokens.map(toLine)]))
    return 0
  }

const HEAD = ['id', 'user', 'name', 'begins with', 'scopes', 'expires', 'last used']

type Listed = Awaited<ReturnType<typeof listTokensOf>>[number]

const toLine = ({ id, email, name, prefix, scopes, expiresAt, lastUsedAt }: Listed): string[] => [
  id,
  email,
  name,
  prefix,
  scopesText(scopes),
  expiresAt ?? 'never',
  lastUsedAt ?? 'never',
]

const scopesText = (scopes: readonly string[] | null): string => scopes?.join(',') ?? 'all'

const revoke =
  (id: string, { json }: Values): Work =>
  async (ctx, io) => {
    await revokeToken(ctx, id)
    io.out(json ? JSON.stringify({ id, deleted: true }) : `The token ${id} is revoked.`)
    return 0
  }

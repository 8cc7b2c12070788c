import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { found } from '../../base/cli/found'
import { toLimit } from '../../base/cli/option'
import { remoteHelp, remoteOptions } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { withTarget } from '../../base/cli/target'
import type { FlagView } from './admin-wire'
import { type FlagTarget, localFlags, remoteFlags } from './command-target'
import { toEnvironment } from './environment'
import type { FlagEnvironment } from './model'

const options = {
  project: { type: 'string' },
  env: { type: 'string' },
  limit: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const

export const flagCommand: Command = {
  name: 'flag',
  summary: 'list flags, switch one on or off',
  help: `
svc flag list [--env ENV] [--limit N]
svc flag toggle KEY on|off [--env ENV]   holds within 2 seconds on a running server

A flag that is off is in no answer, and apps fall back to what they do without it. Values and rules are changed in the
project file, with: svc apply

  --env ENV    prod, staging or development; toggle without it means prod, list without it means all
  --limit N    the newest N (50)
  --project P  slug or id; needless with one project
  --data DIR, --json
${remoteHelp(15)}

Example: svc flag toggle new_checkout off --env prod`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values)
    return withTarget(io, values, {
      server: async (remote) => work(await remoteFlags(remote, values.project), io),
      machine: async (ctx) => work(await localFlags(ctx, values.project), io),
    })
  },
}

type Work = (flags: FlagTarget, io: Io) => Promise<number>

interface Values {
  env?: string | undefined
  limit?: string | undefined
  json?: boolean | undefined
}

function toWork([action, key, state, ...more]: readonly string[], values: Values): Work {
  if (action === 'list' && key === undefined) return list(values)
  const isToggle = action === 'toggle' && key !== undefined && (state === 'on' || state === 'off')
  if (!isToggle || more.length > 0) throw new UsageError('flag takes list, toggle KEY on, or toggle KEY off')
  return toggle(key, state === 'on', values)
}

function list({ env, limit, json }: Values): Work {
  const page = { limit: toLimit(limit), env: env === undefined ? undefined : toEnv(env) }
  return async (flags, io) => {
    const found = await flags.list(page)
    if (json) io.out(JSON.stringify(found))
    else io.out(found.items.length === 0 ? 'There is no flag.' : table([HEAD, ...found.items.map(toLine)]))
    return 0
  }
}

function toggle(key: string, isEnabled: boolean, { env = 'prod', json }: Values): Work {
  const environment = toEnv(env)
  return async (flags, io) => {
    const id = await found(`flag "${key}" in ${environment}`, flags.idOf(key, environment))
    const flag = await flags.toggle(id, isEnabled)
    io.out(json ? JSON.stringify(flag) : table([HEAD, toLine(flag)]))
    return 0
  }
}

function toEnv(text: string): FlagEnvironment {
  const env = toEnvironment(text)
  if (!env) throw new UsageError(`--env is one of prod, staging, development, not "${text}"`)
  return env
}

const HEAD = ['flag', 'env', 'type', 'state', 'rules', 'default']
const MAX_SHOWN = 60

const toLine = ({ key, env, type, isEnabled, rules, defaultValue }: FlagView): string[] => [
  key,
  env,
  type,
  isEnabled ? 'on' : 'off',
  Array.isArray(rules) ? String(rules.length) : 'broken',
  shortened(JSON.stringify(defaultValue)),
]

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

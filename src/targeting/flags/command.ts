import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { toLimit } from '../../base/cli/option'
import type { Context } from '../../base/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { found, requireProject, table } from '../../projects/project/lookup'
import { flagIdOf, listFlagViews, toggleFlag } from './admin'
import type { FlagView } from './admin-wire'
import { toEnvironment } from './environment'
import type { FlagEnvironment } from './model'

const options = {
  project: { type: 'string' },
  env: { type: 'string' },
  limit: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
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

Example: svc flag toggle new_checkout off --env prod`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values)
    return withContext(io, values, async (ctx) => work(ctx, (await requireProject(ctx, values.project)).id, io))
  },
}

type Work = (ctx: Context, projectId: string, io: Io) => Promise<number>

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
  return async (ctx, projectId, io) => {
    const found = await listFlagViews(ctx, projectId, page)
    if (json) io.out(JSON.stringify(found))
    else io.out(found.items.length === 0 ? 'There is no flag.' : table([HEAD, ...found.items.map(toLine)]))
    return 0
  }
}

function toggle(key: string, isEnabled: boolean, { env = 'prod', json }: Values): Work {
  const environment = toEnv(env)
  return async (ctx, projectId, io) => {
    const id = await found(`flag "${key}" in ${environment}`, flagIdOf(ctx, projectId, key, environment))
    const flag = await toggleFlag(ctx, { projectId, actor: CLI_ACTOR }, id, isEnabled)
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

import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, CommandFailure, type Io, toLimit, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import type { Paged } from '../../base/db/page'
import type { FlagEnvironment } from '../../core/flag/names'
import { FlagSchema } from '../../core/flag/schema'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import type { FlagView } from './admin-wire'
import { toEnvironment } from './environment'
import type { FlagPage } from './service'

const options = {
  ...projectOptions,
  env: { type: 'string' },
  limit: { type: 'string' },
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
    return withProject(io, values, (project) => work(project, io))
  },
}

/** A newer server may answer more. */
const Flag = Type.Omit(FlagSchema, [], { additionalProperties: true })

type Work = (project: ProjectApi, io: Io) => Promise<number>

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
  return async (project, io) => {
    const found = await flagsOf(project, page)
    if (json) io.out(JSON.stringify(found))
    else io.out(found.items.length === 0 ? 'There is no flag.' : table([HEAD, ...found.items.map(toLine)]))
    return 0
  }
}

function toggle(key: string, isEnabled: boolean, { env = 'prod', json }: Values): Work {
  const environment = toEnv(env)
  return async (project, io) => {
    const [found] = (await flagsOf(project, { key, env: environment, limit: 1 })).items
    if (!found) throw new CommandFailure('NOT_FOUND', `The project has no flag "${key}" in ${environment}.`)
    const order = { data: Flag, body: { isEnabled } }
    const flag = (await project.call('POST', ['feature-flags', found.id, 'toggle'], order)) as FlagView
    io.out(json ? JSON.stringify(flag) : table([HEAD, toLine(flag)]))
    return 0
  }
}

/** The schema has checked all of it but the rules, which are shown as they are. */
const flagsOf = async (project: ProjectApi, { limit, ...query }: FlagPage): Promise<Paged<FlagView>> =>
  (await project.list(['feature-flags'], { item: Flag, query, limit })) as Paged<FlagView>

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

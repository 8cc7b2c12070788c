import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { IDENTITY_VERIFICATIONS, type IdentityVerification } from '../../core/project/settings'
import { CLI_ACTOR } from '../audit/audit'
import type { ProjectActor } from '../project/edit'
import { requireProject } from '../project/lookup'
import {
  type CreatedIdentitySecret,
  changeIdentitySettings,
  createIdentitySecret,
  rotateIdentitySecret,
} from './service'
import { signTestToken } from './sign'
import { MAX_LIFE_MS } from './token'

const options = {
  project: { type: 'string' },
  overlap: { type: 'string' },
  subscriber: { type: 'string' },
  device: { type: 'string' },
  expires: { type: 'string' },
  verification: { type: 'string' },
  'jwks-url': { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const identityCommand: Command = {
  name: 'identity',
  summary: 'identity tokens: require them, make or rotate their secret, sign one for a test',
  optionOf: { overlapHours: '--overlap', identityJwksUrl: '--jwks-url' },
  help: `
svc identity settings [--verification off|labels] [--jwks-url URL|none]
svc identity secret create
svc identity secret rotate [--overlap HOURS]
svc identity token --subscriber LABEL [--device KEY] [--expires SECONDS]

With --verification labels, a call with a public key takes a label only with a token that your server signed for it:
with the identity secret (HS256), or with a key that your server publishes at --jwks-url. All of it holds within 2
seconds on a running server. The secret is shown once.

  --overlap HOURS    how long tokens of the old secret are still accepted, 0 to 168 (0)
  --subscriber LABEL your own id of the person
  --device KEY       the token is valid only for this device key
  --expires SECONDS  how long the token is valid, 1 to 3600 (3600)
  --project P        slug or id; needless with one project
  --data DIR, --json

Example: svc identity token --subscriber user_1 --project sleep-app`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = WORK.get(positionals.join(' '))
    if (!work) throw new UsageError('identity takes settings, secret create, secret rotate or token')
    const run = work(values)
    return withContext(io, values, async (ctx) => {
      const { id } = await requireProject(ctx, values.project)
      const shown = await run(ctx, { projectId: id, actor: CLI_ACTOR })
      io.out(values.json ? JSON.stringify(shown.wire) : shown.text)
      return 0
    })
  },
}

type Texts = {
  [Name in 'overlap' | 'subscriber' | 'device' | 'expires' | 'verification' | 'jwks-url']?: string | undefined
}

interface Shown {
  wire: object
  text: string
}

type Run = (ctx: Context, by: ProjectActor) => Promise<Shown>

/** The options are read before the database is opened. */
const WORK = new Map<string, (texts: Texts) => Run>([
  [
    'settings',
    ({ verification, 'jwks-url': url }) => {
      const change = {
        identityVerification: toVerification(verification),
        identityJwksUrl: url === 'none' ? null : url,
      }
      return async (ctx, by) => {
        const settings = await changeIdentitySettings(ctx, by, change)
        return { wire: settings, text: lines(settings) }
      }
    },
  ],
  ['secret create', () => async (ctx, by) => shownSecret(by, await createIdentitySecret(ctx, by))],
  [
    'secret rotate',
    ({ overlap }) => {
      const hours = toWhole('--overlap', overlap) ?? 0
      return async (ctx, by) => shownSecret(by, await rotateIdentitySecret(ctx, by, hours))
    },
  ],
  [
    'token',
    ({ subscriber, device, expires }) => {
      if (subscriber === undefined) throw new UsageError('identity token needs --subscriber LABEL')
      const lifeSeconds = toWhole('--expires', expires) ?? MAX_LIFE_MS / SECOND
      return async (ctx, { projectId }) => {
        const order = { label: subscriber, deviceKey: device ?? null, lifeSeconds }
        const { token, expiresAt } = await signTestToken(ctx, projectId, order)
        return { wire: { token, expiresAt: toIso(expiresAt) }, text: token }
      }
    },
  ],
])

function toVerification(text: string | undefined): IdentityVerification | undefined {
  const mode = IDENTITY_VERIFICATIONS.find((one) => one === text)
  if (text !== undefined && mode === undefined)
    throw new UsageError(`--verification is ${IDENTITY_VERIFICATIONS.join(' or ')}, not "${text}"`)
  return mode
}

function toWhole(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,8}$/.test(text)) throw new UsageError(`${option} takes a whole number, not "${text}"`)
  return Number(text)
}

function shownSecret({ projectId }: ProjectActor, { secret, previousUntil }: CreatedIdentitySecret): Shown {
  const wire = { projectId, identitySecret: secret, previousUntil: toIsoOrNull(previousUntil) }
  return { wire, text: `${lines(wire)}\n\nKeep the secret now: it is stored encrypted and is not shown again.` }
}

const lines = (members: object): string =>
  table(Object.entries(members).map(([name, value]): [string, string] => [name, value === null ? '-' : String(value)]))

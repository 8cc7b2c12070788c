import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { parseIso, toIso, toIsoOrNull } from '../../base/lib/time'
import type { KeyChange, KeyView } from './keys'
import { requireProject } from './lookup'
import { type CreatedKey, createKey, listKeys, revokeKey, rotateKey, updateKey } from './service'
import type { KeyKind } from './tables'

const options = {
  project: { type: 'string' },
  kind: { type: 'string' },
  label: { type: 'string' },
  origin: { type: 'string', multiple: true },
  origins: { type: 'string' },
  rate: { type: 'string' },
  overlap: { type: 'string' },
  expires: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const keyCommand: Command = {
  name: 'key',
  summary: 'create, list, update, rotate or revoke API keys',
  optionOf: {
    label: '--label',
    allowedOrigins: '--origin',
    ratePerMinute: '--rate',
    overlapHours: '--overlap',
    expiresAt: '--expires',
  },
  help: `
svc key create --project P [--kind pair|public|secret] [--label TEXT] [--origin https://APP ...] [--rate PER_MINUTE]
svc key list   --project P
svc key update ID [--origin https://APP ... | --origins none|project] [--label TEXT] [--expires TIME|never]
                  [--rate PER_MINUTE] the origins replace the list; none = no page may use the key, project = the pages
                                      of the project may. The rate is what each half may make; 0 = no limit,
                                      default = SVC_RATE_KEY
svc key rotate ID [--overlap HOURS]   a new secret; the public key stays, because it ships in apps
svc key revoke ID

What was changed holds within 2 seconds on a running server. Options: --data DIR, --json

Example: svc key create --project sleep-app --kind public --label web --origin https://app.example.com
         svc key update key_01m5x5hgw0e8gsnmscj1527ncp --origin https://app.example.com --origin http://localhost:5173`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, id] = positionals
    const work = ACTIONS[action ?? '']
    if (!work) throw new UsageError('key takes create, list, update, rotate or revoke')
    return withContext(io, values, (ctx) => work(ctx, { ...values, io, id }))
  },
}

interface Given {
  io: Io
  id: string | undefined
  project?: string | undefined
  kind?: string | undefined
  label?: string | undefined
  origin?: string[] | undefined
  origins?: string | undefined
  rate?: string | undefined
  overlap?: string | undefined
  expires?: string | undefined
  json?: boolean | undefined
}

const ACTIONS: Record<string, (ctx: Context, given: Given) => Promise<number>> = {
  create: async (ctx, { io, project, kind, label, origin, rate, json }) => {
    const { id } = await requireProject(ctx, project)
    const input = {
      label: label ?? 'default',
      kind: toKind(kind),
      allowedOrigins: origin ?? null,
      ratePerMinute: toNumber('--rate', rate),
    }
    return printSecret(io, json, await createKey(ctx, id, input))
  },
  list: async (ctx, { io, project, json }) => {
    const keys = await listKeys(ctx, (await requireProject(ctx, project)).id)
    io.out(json ? JSON.stringify({ keys: keys.map(toWire) }) : table([HEAD, ...keys.map(toLine)]))
    return 0
  },
  update: async (ctx, { io, id, json, ...given }) => {
    const keyId = required(id)
    const change = toChange(given)
    if (Object.keys(change).length === 0)
      throw new UsageError('key update needs --origin, --origins, --label, --expires or --rate')
    const key = await updateKey(ctx, keyId, change)
    io.out(json ? JSON.stringify(toWire(key)) : `${key.id}: ${changedTexts(change, key).join('; ')}.`)
    return 0
  },
  rotate: async (ctx, { io, id, overlap, json }) =>
    printSecret(io, json, await rotateKey(ctx, required(id), toNumber('--overlap', overlap) ?? 0)),
  revoke: async (ctx, { io, id, json }) => {
    const key = await revokeKey(ctx, required(id))
    io.out(json ? JSON.stringify(toWire(key)) : `${key.id} is revoked.`)
    return 0
  },
}

type Changed = Pick<Given, 'origin' | 'origins' | 'label' | 'expires' | 'rate'>

function toChange({ origin, origins, label, expires, rate }: Changed): KeyChange {
  if (origin !== undefined && origins !== undefined)
    throw new UsageError('--origins takes the place of the list, so it excludes --origin')
  return {
    ...(origin !== undefined && { allowedOrigins: toOrigins(origin) }),
    ...(origins !== undefined && { allowedOrigins: toOriginsOf(origins) }),
    ...(label !== undefined && { label }),
    ...(expires !== undefined && { expiresAt: toExpiry(expires) }),
    ...(rate !== undefined && { ratePerMinute: toRate(rate) }),
  }
}

/** Of `none` the list becomes empty; without any, the origins of the project would apply. */
function toOrigins(origins: readonly string[]): readonly string[] {
  if (!origins.includes('none')) return origins
  if (origins.length > 1) throw new UsageError('--origin none excludes other origins')
  return []
}

function toOriginsOf(text: string): readonly string[] | null {
  if (text === 'project') return null
  if (text === 'none') return []
  throw new UsageError(`--origins takes none or project, not "${text}"; name a page with --origin`)
}

function toExpiry(text: string): number | null {
  if (text === 'never') return null
  const instant = parseIso(text)
  if (instant === null)
    throw new UsageError(`--expires takes a time like 2026-11-20T08:00:00Z, or never, not "${text}"`)
  return instant
}

/** What the changed members are now. */
function changedTexts(change: KeyChange, key: KeyView): string[] {
  const { allowedOrigins, label, expiresAt } = key
  const pages = allowedOrigins?.length ? `pages of ${allowedOrigins.join(', ')} may use it` : 'no page may use it'
  const origins = allowedOrigins === null ? 'the pages of the project may use it' : pages
  return [
    ...(change.allowedOrigins === undefined ? [] : [origins]),
    ...(change.label === undefined ? [] : [`its label is ${label}`]),
    ...(change.expiresAt === undefined
      ? []
      : [expiresAt === null ? 'it never ends' : `it ends at ${toIso(expiresAt)}`]),
    ...(change.ratePerMinute === undefined ? [] : [rateText(key)]),
  ]
}

function toKind(kind: string | undefined): KeyKind {
  if (kind === undefined || kind === 'pair') return 'pair'
  if (kind === 'public' || kind === 'secret') return kind
  throw new UsageError(`--kind is pair, public or secret, not "${kind}"`)
}

/** Null = the rate of the deployment. */
function toRate(text: string): number | null {
  if (text === 'default') return null
  if (/^\d{1,8}$/.test(text)) return Number(text)
  throw new UsageError(`--rate takes a whole number of requests a minute, 0 for no limit, or "default", not "${text}"`)
}

function rateText({ ratePerMinute }: KeyView): string {
  if (ratePerMinute === null) return 'the rate of the server (SVC_RATE_KEY)'
  return ratePerMinute === 0 ? 'no limit' : `each half may make ${ratePerMinute} requests a minute`
}

function toNumber(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,8}$/.test(text)) throw new UsageError(`${option} takes a whole number, not "${text}"`)
  return Number(text)
}

function required(id: string | undefined): string {
  if (id === undefined) throw new UsageError('name the key by its id; see: svc key list')
  return id
}

function printSecret(io: Io, json: boolean | undefined, { key, publicKey, secretKey }: CreatedKey): number {
  const shown = { id: key.id, publicKey, secretKey }
  if (json) io.out(JSON.stringify(shown))
  else io.out(table(Object.entries(shown).map(([name, value]) => [name, value ?? '-'])))
  return 0
}

const toWire = ({ expiresAt, revokedAt, lastUsedAt, createdAt, updatedAt, previousUntil, ...view }: KeyView) => ({
  ...view,
  expiresAt: toIsoOrNull(expiresAt),
  revokedAt: toIsoOrNull(revokedAt),
  lastUsedAt: toIsoOrNull(lastUsedAt),
  createdAt: toIsoOrNull(createdAt),
})

const HEAD = ['id', 'kind', 'label', 'public key', 'secret', 'rate', 'state']

const toLine = ({ id, kind, label, publicKey, secretLast4, ratePerMinute, revokedAt }: KeyView): string[] => [
  id,
  kind,
  label,
  publicKey ?? '-',
  secretLast4 === null ? '-' : `…${secretLast4}`,
  ratePerMinute === null ? 'default' : ratePerMinute === 0 ? 'no limit' : String(ratePerMinute),
  revokedAt === null ? 'live' : 'revoked',
]

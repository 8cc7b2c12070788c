import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { notFound } from '../../base/errors'
import { parseIso, toIso } from '../../base/lib/time'
import { checkKeyChange } from '../../projects/project/keys'
import { type Place, type ProjectApi, projectOptions, withPlace } from '../../projects/project/project-api'
import { findKeyProject } from '../../projects/project/service'
import { KeySchema } from './key-wire'

const options = {
  ...projectOptions,
  kind: { type: 'string' },
  label: { type: 'string' },
  origin: { type: 'string', multiple: true },
  origins: { type: 'string' },
  rate: { type: 'string' },
  overlap: { type: 'string' },
  expires: { type: 'string' },
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

What was changed holds within 2 seconds on a running server. ID is enough to find the project of a key.

  --data DIR, --json
${remoteHelp(15)}

Example: svc key create --project sleep-app --kind public --label web --origin https://app.example.com
         svc key update key_01m5x5hgw0e8gsnmscj1527ncp --origin https://app.example.com --origin http://localhost:5173`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, id] = positionals
    const work = ACTIONS[action ?? '']
    if (!work) throw new UsageError('key takes create, list, update, rotate or revoke')
    return withPlace(io, values, (place) => work(place, { ...values, io, id }))
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

/** A newer server may answer more. */
const Key = Type.Omit(KeySchema, [], { additionalProperties: true })
const NewSecret = Type.Object({ ...Key.properties, secret: Type.Union([Type.String(), Type.Null()]) })
const Deleted = Type.Object({ deleted: Type.Boolean() })
type Key = Static<typeof KeySchema>

const ACTIONS: Record<string, (place: Place, given: Given) => Promise<number>> = {
  create: async (place, { io, project, kind, label, origin, rate, json }) => {
    const body = {
      label: label ?? 'default',
      kind: toKind(kind),
      allowedOrigins: origin ?? null,
      ratePerMinute: toNumber('--rate', rate),
    }
    refuseValues(io, body)
    const { call } = await place.require(project)
    return printSecret(io, json, await call('POST', ['api-keys'], { data: NewSecret, body }))
  },
  list: async (place, { io, project, json }) => {
    const keys = await listKeys(await place.require(project))
    io.out(json ? JSON.stringify({ keys: keys.map(toJson) }) : table([HEAD, ...keys.map(toLine)]))
    return 0
  },
  update: async (place, { io, id, project, json, ...given }) => {
    const keyId = required(id)
    const change = toChange(given)
    if (Object.keys(change).length === 0)
      throw new UsageError('key update needs --origin, --origins, --label, --expires or --rate')
    refuseValues(io, change)
    const { call } = await projectOf(place, project, keyId)
    const key = await call('PATCH', ['api-keys', keyId], { data: Key, body: change })
    io.out(json ? JSON.stringify(toJson(key)) : `${key.id}: ${changedTexts(change, key).join('; ')}.`)
    return 0
  },
  rotate: async (place, { io, id, project, overlap, json }) => {
    const keyId = required(id)
    const body = { overlapHours: toNumber('--overlap', overlap) ?? 0 }
    const { call } = await projectOf(place, project, keyId)
    return printSecret(io, json, await call('POST', ['api-keys', keyId, 'rotate'], { data: NewSecret, body }))
  },
  revoke: async (place, { io, id, project, json }) => {
    const keyId = required(id)
    const owner = await projectOf(place, project, keyId)
    if ((await getKey(owner, keyId)).revokedAt === null)
      await owner.call('DELETE', ['api-keys', keyId], { data: Deleted })
    io.out(json ? JSON.stringify(toJson(await getKey(owner, keyId))) : `${keyId} is revoked.`)
    return 0
  },
}

/** The keys of a project, the oldest first. */
const listKeys = async (project: ProjectApi): Promise<Key[]> =>
  (await project.list(['api-keys'], { item: Key, limit: Number.POSITIVE_INFINITY })).items.reverse()

async function findKey(project: ProjectApi, id: string): Promise<Key | null> {
  return (await listKeys(project)).find((key) => key.id === id) ?? null
}

async function getKey(project: ProjectApi, id: string): Promise<Key> {
  const key = await findKey(project, id)
  if (!key) throw notFound('key', id)
  return key
}

/** The project that is named, or the one that has the key. */
async function projectOf(place: Place, ref: string | undefined, keyId: string): Promise<ProjectApi> {
  if (ref !== undefined) return place.require(ref)
  if (place.ctx) return place.require(await findKeyProject(place.ctx, keyId))
  for (const project of await place.all()) if (await findKey(project, keyId)) return project
  throw notFound('key', keyId)
}

/** A sentence about each value that no server takes; about the time of an end, the server decides by its own clock. */
function refuseValues({ clock }: Io, { expiresAt: _, ...values }: Change): void {
  checkKeyChange(values, clock.now())
}

interface Change {
  allowedOrigins?: readonly string[] | null
  label?: string
  expiresAt?: string | null
  ratePerMinute?: number | null
}

type Changed = Pick<Given, 'origin' | 'origins' | 'label' | 'expires' | 'rate'>

function toChange({ origin, origins, label, expires, rate }: Changed): Change {
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

function toExpiry(text: string): string | null {
  if (text === 'never') return null
  const instant = parseIso(text)
  if (instant === null)
    throw new UsageError(`--expires takes a time like 2026-11-20T08:00:00Z, or never, not "${text}"`)
  return toIso(instant)
}

/** What the changed members are now. */
function changedTexts(change: Change, key: Key): string[] {
  const { allowedOrigins, label, expiresAt } = key
  const pages = allowedOrigins?.length ? `pages of ${allowedOrigins.join(', ')} may use it` : 'no page may use it'
  const origins = allowedOrigins === null ? 'the pages of the project may use it' : pages
  return [
    ...(change.allowedOrigins === undefined ? [] : [origins]),
    ...(change.label === undefined ? [] : [`its label is ${label}`]),
    ...(change.expiresAt === undefined ? [] : [expiresAt === null ? 'it never ends' : `it ends at ${expiresAt}`]),
    ...(change.ratePerMinute === undefined ? [] : [rateText(key)]),
  ]
}

function toKind(kind: string | undefined): Key['kind'] {
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

function rateText({ ratePerMinute }: Key): string {
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

function printSecret(io: Io, json: boolean | undefined, { id, publicKey, secret }: Static<typeof NewSecret>): number {
  const shown = { id, publicKey, secretKey: secret }
  if (json) io.out(JSON.stringify(shown))
  else io.out(table(Object.entries(shown).map(([name, value]) => [name, value ?? '-'])))
  return 0
}

const toJson = ({
  id,
  label,
  kind,
  publicKey,
  secretLast4,
  environment,
  allowedOrigins,
  ratePerMinute,
  ...key
}: Key) => ({
  ...{ id, label, kind, publicKey, secretLast4, environment, allowedOrigins, ratePerMinute },
  ...{ expiresAt: key.expiresAt, revokedAt: key.revokedAt, lastUsedAt: key.lastUsedAt, createdAt: key.createdAt },
})

const HEAD = ['id', 'kind', 'label', 'public key', 'secret', 'rate', 'state']

const toLine = ({ id, kind, label, publicKey, secretLast4, ratePerMinute, revokedAt }: Key): string[] => [
  id,
  kind,
  label,
  publicKey ?? '-',
  secretLast4 === null ? '-' : `…${secretLast4}`,
  ratePerMinute === null ? 'default' : ratePerMinute === 0 ? 'no limit' : String(ratePerMinute),
  revokedAt === null ? 'live' : 'revoked',
]

import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, CommandFailure, type Io, toInstant, toLimit, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { AppError } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { type ProjectApi, projectOptions, withPlace, withProject } from '../../projects/project/project-api'
import type { StoreEventFilter } from '../inbox/service'
import { fetchHistory } from './command-fetch'
import { testOfProject, toEnvironment } from './command-ios'
import { StoreEvent } from './operator-wire'

const options = {
  ...projectOptions,
  store: { type: 'string' },
  status: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  limit: { type: 'string' },
  environment: { type: 'string' },
  page: { type: 'string' },
  wait: { type: 'string' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

export const storeEventsCommand: Command = {
  name: 'store-events',
  summary: 'list what the stores notified, process it again, fetch it from the store, or test the way',
  help: `
svc store-events list   [--project P] [--store ios|android|payment] [--status S] [--environment production|sandbox]
                        [--from T] [--to T] [--limit 50]
svc store-events replay ID
svc store-events replay --from T --to T [--project P] [--store ios|android|payment] [--status S]
                        [--environment production|sandbox]
svc store-events fetch [--project P] [--environment production|sandbox] [--from T] [--to T] [--page TOKEN]
svc store-events fetch --store payment [--project P] [--from T] [--to T] [--page TOKEN]
svc store-events test  [--project P] [--environment production|sandbox] [--wait 30] [--token TOKEN]

Replaying is harmless: what a notification says is applied once, however often it is processed. Use it after the
cause of a failure is gone: the app id is saved, the product is in the catalogue.

Fetching reads what the iOS store has sent, or could not deliver (the last 180 days, of the sandbox 30), or the
payment provider (30 days), and processes what is missing here; it may be repeated. A running server does this every
hour, up to 30 days back. A test makes the iOS store deliver a notification now. Both need stores.ios.inAppPurchaseKey
for the iOS store.

  --status S   RECEIVED, PROCESSING, PROCESSED, FAILED or IGNORED; an interrupted one counts as FAILED
  --environment  production or sandbox; those that name none are in both lists
  --from, --to instants of arrival in ISO 8601, both included; of fetch, instants at the store
  --page       continues where a fetch has stopped
  --wait       seconds to watch a test; --token looks at one that was asked for before
  --data DIR, --json
${remoteHelp(15)}
Of store-events test, --token is that of the notification, so give the access token in SVC_TOKEN. At a server, a fetch
stops after a minute and prints how to continue.

Example: svc store-events replay --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z --status FAILED`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, id, ...more] = positionals
    const isKnown = ['list', 'fetch', 'test'].includes(action ?? '') ? id === undefined : action === 'replay'
    if (!isKnown || more.length > 0)
      throw new UsageError('store-events takes list, fetch, test, replay ID or replay --from T --to T')
    if (action === 'fetch' || action === 'test') return askStore(io, action, values)
    if (action === 'replay') assertReplayable(id, values)
    const query = toQuery(toFilter(values))
    const limit = toLimit(values.limit)
    return withPlace(io, values, async (place) => {
      const projects = values.project === undefined ? await place.all() : [await place.require(values.project)]
      if (action === 'list') return print(io, (await newest(projects, query, limit)).slice(0, limit), values.json)
      const found = id === undefined ? (await newest(projects, query)).reverse() : [await locate(projects, id)]
      return replay(io, found, values.json)
    })
  },
}

/** Runs `fetch` or `test`, which only stores with a history or with test notifications support. */
function askStore(io: Io, action: 'fetch' | 'test', values: Values): Promise<number> {
  const { page, token, json } = values
  const environment = toEnvironment(values.environment)
  const { store = 'IOS_STORE', from, to } = toFilter(values)
  if (store === 'PAYMENT' && values.environment !== undefined)
    throw new UsageError('--environment is of the iOS store; the key of the payment account says which mode is asked')
  if (store !== 'IOS_STORE' && (store !== 'PAYMENT' || action === 'test')) throw new UsageError(CANNOT[action])
  const waitSeconds = toSeconds(values.wait)
  const order = { environment, token, waitSeconds }
  if (action === 'test') return testOfProject(io, values, order)
  return withProject(io, values, (project) => fetchHistory(io, project, { store, environment, from, to, page }, json))
}

const CANNOT = {
  fetch: 'Only the iOS store and the payment provider can be asked to fetch',
  test: 'Only the iOS store can be asked to test',
}

function toSeconds(text = '30'): number {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`--wait takes whole seconds, not "${text}"`)
  return Number(text)
}

function assertReplayable(id: string | undefined, { from, to }: Values): void {
  const hasSpan = from !== undefined && to !== undefined
  if (id === undefined && !hasSpan) throw new UsageError('replay needs an id, or --from and --to')
  if (id !== undefined && (from !== undefined || to !== undefined))
    throw new UsageError('replay takes an id or a span of time, not both')
}

const STORES = { ios: 'IOS_STORE', android: 'ANDROID_STORE', payment: 'PAYMENT' } as const
const STATUSES = ['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'IGNORED'] as const

function toFilter({ store, status, environment, from, to }: Values): StoreEventFilter {
  const known = Object.entries(STORES).find(([name, value]) => name === store || value === store)
  if (store !== undefined && !known) throw new UsageError(`--store is ios, android or payment, not "${store}"`)
  const wanted = STATUSES.find((name) => name === status?.toUpperCase())
  if (status !== undefined && !wanted) throw new UsageError(`--status is one of ${STATUSES.join(', ')}`)
  const named = environment === undefined ? undefined : toEnvironment(environment)
  return {
    ...{ store: known?.[1], status: wanted, environment: named },
    ...{ from: toInstant('--from', from), to: toInstant('--to', to) },
  }
}

type Query = Record<string, string | undefined>

const toQuery = ({ store, status, environment, from, to }: StoreEventFilter): Query => ({
  ...{ store, status, environment },
  ...{ from: from === undefined ? undefined : toIso(from), to: to === undefined ? undefined : toIso(to) },
})

/** A newer server may answer more. */
const Event = Type.Omit(StoreEvent, [], { additionalProperties: true })
type Event = Static<typeof StoreEvent>

interface Found {
  project: ProjectApi
  event: Event
}

const PATH = ['store-events']

/** The newest store events of several projects, at most `limit` of each. */
async function newest(projects: readonly ProjectApi[], query: Query, limit = Number.POSITIVE_INFINITY) {
  const found: Found[] = []
  for (const project of projects) {
    const { items } = await project.list(PATH, { item: Event, query, limit })
    found.push(...items.map((event) => ({ project, event })))
  }
  return found.sort(({ event: a }, { event: b }) => order(b.receivedAt, a.receivedAt) || order(b.id, a.id))
}

const order = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The store event with an id, in the project that has it. */
async function locate(projects: readonly ProjectApi[], id: string): Promise<Found> {
  for (const project of projects)
    try {
      return { project, event: await project.call('GET', [...PATH, id], { data: Event }) }
    } catch (error) {
      if (!(error instanceof AppError) || error.refusal !== 'NOT_FOUND') throw error
    }
  throw new CommandFailure('NOT_FOUND', `There is no store event "${id}"; see: svc store-events list`)
}

/** Replays store events with one line for each; exit 1 when one of them failed. */
async function replay(io: Io, found: readonly Found[], json: boolean | undefined): Promise<number> {
  const replayed: Found[] = []
  for (const [index, { project, event }] of found.entries()) {
    io.progress(`${index + 1} of ${found.length}`)
    const after = await project.call('POST', [...PATH, event.id, 'reprocess'], { data: Event })
    replayed.push({ project, event: after })
  }
  io.progress(null)
  print(io, replayed, json)
  return replayed.some(({ event }) => event.status === 'FAILED') ? 1 : 0
}

function print(io: Io, found: readonly Found[], json: boolean | undefined): number {
  if (json) io.out(JSON.stringify({ items: found.map(toWire) }))
  else io.out(found.length === 0 ? 'No store events.' : table([HEAD, ...found.map(({ event }) => toLine(event))]))
  return 0
}

const toWire = ({ project, event }: Found) => {
  const { id, store, notificationId, type, environment, status, attempts, error } = event
  const { eventAt, receivedAt, processedAt } = event
  const row = { id, projectId: project.id, store, notificationId, type, environment, status, attempts, error }
  return { ...row, eventAt, receivedAt, processedAt }
}

const HEAD = ['id', 'received', 'store', 'type', 'environment', 'status', 'attempts', 'reason']

const toLine = ({ id, receivedAt, store, type, environment, status, attempts, error }: Event): string[] => [
  ...[id, receivedAt, store, type],
  ...[environment ?? '', status, String(attempts), error ?? ''],
]

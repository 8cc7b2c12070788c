import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import type { Method } from '../../base/cli/api'
import { type Io, UsageError } from '../../base/cli/command'
import { stopSignal } from '../../base/cli/storage'
import { table } from '../../base/cli/table'
import { SECOND } from '../../base/lib/clock'
import { PubSubConnection, PubSubTested } from '../../projects/play-console/wire'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { StoreEvent } from '../catch-up/operator-wire'
import type { StoreCommand } from './sub-command'

const options = {
  ...projectOptions,
  topic: { type: 'string' },
  wait: { type: 'string', default: '30' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** `svc store pubsub …`: how notifications of Google Play reach the project. */
export const pubsubCommand: StoreCommand = {
  words: 'pubsub',
  usage: `svc store pubsub connect [--topic projects/G/topics/T]    notifications of Google Play, through Pub/Sub
svc store pubsub status | recreate | rotate | disconnect   what Google says; repair, replace or delete it
svc store pubsub test [--wait 30]                          publishes a test notification, and waits for it`,
  optionOf: { existingTopic: '--topic' },
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action = '', ...more] = positionals
    const work = ACTIONS[action]
    if (!work || more.length > 0) throw new UsageError(`store pubsub takes ${Object.keys(ACTIONS).join(', ')}`)
    if (values.topic !== undefined && action !== 'connect') throw new UsageError('--topic goes with connect')
    if (!/^\d{1,4}$/.test(values.wait)) throw new UsageError(`--wait takes whole seconds, not "${values.wait}"`)
    return withProject(io, values, (project) => work({ project, io, values }))
  },
}

interface Run {
  project: ProjectApi
  io: Io
  values: Values
}

/** A newer server may answer more. */
const Connection = Type.Omit(PubSubConnection, [], { additionalProperties: true })
const Tested = Type.Omit(PubSubTested, [], { additionalProperties: true })
const Event = Type.Omit(StoreEvent, [], { additionalProperties: true })

const PATH = ['apps', 'android', 'pubsub']

const call = (
  { project }: Run,
  method: Method,
  action: readonly string[],
  body: object = {},
): Promise<PubSubConnection> => project.call(method, [...PATH, ...action], { data: Connection, body })

const ACTIONS: Readonly<Record<string, (run: Run) => Promise<number>>> = {
  connect: async (run) => {
    const { topic: existingTopic } = run.values
    const view = await call(run, 'POST', ['connect'], { existingTopic })
    if (!run.values.json) run.io.out(`Enter this topic in the Play Console, under Monetization setup: ${view.topic}\n`)
    return show(run, view)
  },
  status: async (run) => show(run, await call(run, 'GET', [])),
  recreate: async (run) => show(run, await call(run, 'POST', ['recreate'])),
  rotate: async (run) => show(run, await call(run, 'POST', ['rotate'])),
  disconnect: async (run) => show(run, await call(run, 'DELETE', [])),
  test: async (run) => {
    const { messageId } = await run.project.call('POST', [...PATH, 'test'], { data: Tested })
    const receivedAt = await untilReceived(run, messageId)
    run.io.out(run.values.json ? JSON.stringify({ messageId, receivedAt }) : verdict(receivedAt))
    return receivedAt === null ? 1 : 0
  },
}

function show({ io, values }: Run, view: PubSubConnection): number {
  const lines = Object.entries(view).map(([name, value]) => [name, value ?? '-'])
  io.out(values.json ? JSON.stringify(view) : table(lines))
  return 0
}

const verdict = (receivedAt: string | null): string =>
  receivedAt === null
    ? 'The test notification has not arrived yet; look at: svc store pubsub status'
    : `The test notification was received at ${receivedAt}.`

const POLL_SECONDS = 1

/** When the running server took the notification in. Null when it did not within the time. */
async function untilReceived({ project, io, values }: Run, messageId: string): Promise<string | null> {
  const signal = stopSignal(io)
  for (let waited = 0; ; waited += POLL_SECONDS) {
    const found = await findArrival(project, messageId)
    if (found !== null || waited >= Number(values.wait) || signal.aborted) return found
    io.progress(`Waiting for Google to deliver: ${waited} of ${values.wait} s`)
    await Promise.race([Bun.sleep(POLL_SECONDS * SECOND), io.stopped])
    io.progress(null)
  }
}

/** It is among the newest, because it was published a moment ago. */
async function findArrival(project: ProjectApi, messageId: string): Promise<string | null> {
  const query = { store: 'ANDROID_STORE' }
  const { items } = await project.list(['store-events'], { item: Event, query, limit: NEWEST })
  return items.find(({ notificationId }) => notificationId === messageId)?.receivedAt ?? null
}

const NEWEST = 200

import { parseArgs } from 'node:util'
import { type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { stopSignal } from '../../base/cli/storage'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { toIsoOrNull } from '../../base/lib/time'
import { CLI_ACTOR } from '../../projects/audit/audit'
import {
  connectPubSub,
  disconnectPubSub,
  recreatePubSub,
  rotatePubSub,
  testPubSub,
} from '../../projects/play-console/connection'
import { readPubSubStatus } from '../../projects/play-console/status'
import type { PubSubConnection } from '../../projects/play-console/wire'
import { requireProject } from '../../projects/project/lookup'
import { findByNotification } from '../inbox/service'
import type { StoreCommand } from './sub-command'

const options = {
  project: { type: 'string' },
  topic: { type: 'string' },
  wait: { type: 'string', default: '30' },
  data: { type: 'string' },
  json: { type: 'boolean' },
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
    return withContext(io, values, async (ctx) => {
      const { id: projectId } = await requireProject(ctx, values.project)
      return work({ ctx, io, projectId, values })
    })
  },
}

interface Run {
  ctx: Context
  io: Io
  projectId: string
  values: Values
}

const by = ({ projectId }: Run) => ({ projectId, actor: CLI_ACTOR })

const ACTIONS: Readonly<Record<string, (run: Run) => Promise<number>>> = {
  connect: async (run) => {
    const view = await connectPubSub(run.ctx, by(run), run.values.topic ?? null)
    if (!run.values.json) run.io.out(`Enter this topic in the Play Console, under Monetization setup: ${view.topic}\n`)
    return show(run, view)
  },
  status: async (run) => show(run, await readPubSubStatus(run.ctx, run.projectId)),
  recreate: async (run) => show(run, await recreatePubSub(run.ctx, by(run))),
  rotate: async (run) => show(run, await rotatePubSub(run.ctx, by(run))),
  disconnect: async (run) => show(run, await disconnectPubSub(run.ctx, by(run))),
  test: async (run) => {
    const messageId = await testPubSub(run.ctx, run.projectId)
    const receivedAt = toIsoOrNull(await untilReceived(run, messageId))
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

/** The server that runs beside this command takes the notification in. Null when it did not within the time. */
async function untilReceived({ ctx, io, projectId, values }: Run, messageId: string): Promise<number | null> {
  const signal = stopSignal(io)
  for (let waited = 0; ; waited += POLL_SECONDS) {
    const row = await findByNotification(ctx, projectId, 'ANDROID_STORE', messageId)
    if (row || waited >= Number(values.wait) || signal.aborted) return row?.receivedAt ?? null
    io.progress(`Waiting for Google to deliver: ${waited} of ${values.wait} s`)
    await Promise.race([Bun.sleep(POLL_SECONDS * SECOND), io.stopped])
    io.progress(null)
  }
}

import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { found } from '../../base/cli/found'
import { toInstant, toLimit } from '../../base/cli/option'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { requireProject } from '../../projects/project/lookup'
import type { ProjectState } from '../../projects/project/state'
import { CLI_ORIGIN } from './actor'
import { type ActionRow, cancelSchedule, listScheduled, scheduleCancellation } from './schedule'
import type { ActionStatus } from './tables'
import { toActionView } from './wire'

const options = {
  project: { type: 'string' },
  at: { type: 'string' },
  revoke: { type: 'boolean' },
  status: { type: 'string' },
  limit: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

export const scheduleCommand: Command = {
  name: 'schedule',
  summary: 'cancel a subscription at a later time, or call that off',
  optionOf: { dueAt: '--at', revokeImmediately: '--revoke' },
  help: `
svc schedule cancel PURCHASE --at T [--revoke]
svc schedule undo PURCHASE
svc schedule list [--status PENDING|EXECUTED|CANCELLED|FAILED] [--limit 50]

A cancelled subscription renews no more and keeps its access up to its end. The running server does it at the time, and
asks the store again for a day while that is away. iOS subscriptions can only be cancelled by the customer.

  --at T       60 seconds to two years from now, in ISO 8601
  --revoke     only for granted access: take it away at that time
  --project P  slug or id; needless with one project
  --data DIR, --json

Example: svc schedule cancel pur_01m5w36wm0edqrb018tr4sjm6r --at 2026-12-31T00:00:00Z`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values)
    return withContext(io, values, async (ctx) => {
      const project = await ctx.state.projects.get((await requireProject(ctx, values.project)).id)
      return work(ctx, project, io)
    })
  },
}

type Work = (ctx: Context, project: ProjectState, io: Io) => Promise<number>

function toWork([action, purchaseId, ...more]: readonly string[], values: Values): Work {
  if (action === 'list' && purchaseId === undefined) return list(values)
  if (purchaseId === undefined || more.length > 0 || (action !== 'cancel' && action !== 'undo'))
    throw new UsageError('schedule takes cancel PURCHASE, undo PURCHASE or list')
  return action === 'cancel' ? cancel(purchaseId, values) : undo(purchaseId, values)
}

function cancel(purchaseId: string, { at, revoke = false, json }: Values): Work {
  const dueAt = toInstant('--at', at)
  if (dueAt === undefined) throw new UsageError('schedule cancel needs --at, such as --at 2026-12-31T00:00:00Z')
  const order = { purchaseId, dueAt, revokeImmediately: revoke, origin: CLI_ORIGIN }
  return async (ctx, project, io) =>
    print(io, json, await found(`purchase "${purchaseId}"`, scheduleCancellation(ctx, project, order)))
}

const undo =
  (purchaseId: string, { json }: Values): Work =>
  async (ctx, project, io) =>
    print(
      io,
      json,
      await found(`purchase "${purchaseId}"`, cancelSchedule(ctx, project, { purchaseId, origin: CLI_ORIGIN })),
    )

function list({ status, limit, json }: Values): Work {
  const filter = { status: toStatus(status), limit: toLimit(limit) }
  return async (ctx, project, io) => {
    const { items, hasMore } = await listScheduled(ctx, project.id, filter)
    if (json) io.out(JSON.stringify({ items: items.map(toActionView), hasMore }))
    else io.out(items.length === 0 ? 'Nothing is scheduled.' : table([HEAD, ...items.map(toLine)]))
    return 0
  }
}

const STATUSES: readonly ActionStatus[] = ['PENDING', 'EXECUTED', 'CANCELLED', 'FAILED']

function toStatus(text: string | undefined): ActionStatus | undefined {
  const status = STATUSES.find((name) => name === text?.toUpperCase())
  if (text !== undefined && !status) throw new UsageError(`--status is one of ${STATUSES.join(', ')}, not "${text}"`)
  return status
}

function print(io: Io, json: boolean | undefined, action: ActionRow): number {
  io.out(json ? JSON.stringify(toActionView(action)) : table([HEAD, toLine(action)]))
  return 0
}

const HEAD = ['id', 'purchase', 'due', 'what', 'status', 'reason']

const toLine = ({ id, purchaseId, dueAt, revokeImmediately, status, error }: ActionRow): string[] => [
  id,
  purchaseId,
  toIso(dueAt),
  revokeImmediately ? 'revoke' : 'cancel',
  status,
  error ?? '',
]

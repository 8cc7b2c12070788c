import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, found, type Io, toInstant, toLimit, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { toIso } from '../../base/lib/time'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { ScheduledAction } from './operator-wire'
import type { ActionStatus } from './tables'

const options = {
  ...projectOptions,
  at: { type: 'string' },
  revoke: { type: 'boolean' },
  status: { type: 'string' },
  limit: { type: 'string' },
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
${remoteHelp(15)}

Example: svc schedule cancel pur_01m5w36wm0edqrb018tr4sjm6r --at 2026-12-31T00:00:00Z`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values)
    return withProject(io, values, (project) => work(project, io))
  },
}

type Work = (project: ProjectApi, io: Io) => Promise<number>

function toWork([action, purchaseId, ...more]: readonly string[], values: Values): Work {
  if (action === 'list' && purchaseId === undefined) return list(values)
  if (purchaseId === undefined || more.length > 0 || (action !== 'cancel' && action !== 'undo'))
    throw new UsageError('schedule takes cancel PURCHASE, undo PURCHASE or list')
  return action === 'cancel' ? cancel(purchaseId, values) : undo(purchaseId, values)
}

/** A newer server may answer more members; an older one leaves out the revoked access. */
const Action = Type.Object(
  {
    ...Type.Omit(ScheduledAction, ['revokeImmediately', 'createdAt', 'updatedAt']).properties,
    revokeImmediately: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: true },
)
type Action = Static<typeof Action>

const LIST = ['subscriptions', 'scheduled']

function cancel(purchaseId: string, { at, revoke = false, json }: Values): Work {
  const dueAt = toInstant('--at', at)
  if (dueAt === undefined) throw new UsageError('schedule cancel needs --at, such as --at 2026-12-31T00:00:00Z')
  const body = { action: 'CANCEL', dueAt: toIso(dueAt), revokeImmediately: revoke }
  return async (project, io) =>
    print(io, json, await ofPurchase(purchaseId, project.call('POST', pathOf(purchaseId), { data: Action, body })))
}

const undo =
  (purchaseId: string, { json }: Values): Work =>
  async (project, io) => {
    // The answer of the call contains only that it is done.
    const order = { item: Action, query: { status: 'PENDING' }, limit: Number.POSITIVE_INFINITY }
    const waiting = (await project.list(LIST, order)).items.find((one) => one.purchaseId === purchaseId)
    await ofPurchase(purchaseId, project.call('DELETE', pathOf(purchaseId), { data: Type.Unknown() }))
    if (waiting) return print(io, json, { ...waiting, status: 'CANCELLED' })
    // The list has it under the id that the purchase has now.
    io.out(
      json ? JSON.stringify({ purchaseId, status: 'CANCELLED' }) : `The cancellation of ${purchaseId} is called off.`,
    )
    return 0
  }

function list({ status, limit, json }: Values): Work {
  const order = { item: Action, query: { status: toStatus(status) }, limit: toLimit(limit) }
  return async (project, io) => {
    const { items, hasMore } = await project.list(LIST, order)
    if (json) io.out(JSON.stringify({ items: items.map(toShown), hasMore }))
    else io.out(items.length === 0 ? 'Nothing is scheduled.' : table([HEAD, ...items.map(toLine)]))
    return 0
  }
}

const pathOf = (purchaseId: string): string[] => ['subscriptions', purchaseId, 'schedule']

const ofPurchase = <Result>(purchaseId: string, work: Promise<Result>): Promise<Result> =>
  found(`purchase "${purchaseId}"`, work)

const STATUSES: readonly ActionStatus[] = ['PENDING', 'EXECUTED', 'CANCELLED', 'FAILED']

function toStatus(text: string | undefined): ActionStatus | undefined {
  const status = STATUSES.find((name) => name === text?.toUpperCase())
  if (text !== undefined && !status) throw new UsageError(`--status is one of ${STATUSES.join(', ')}, not "${text}"`)
  return status
}

function print(io: Io, json: boolean | undefined, action: Action): number {
  io.out(json ? JSON.stringify(toShown(action)) : table([HEAD, toLine(action)]))
  return 0
}

const toShown = ({ id, purchaseId, action, dueAt, status, error }: Action) => ({
  ...{ id, purchaseId, action, dueAt, status, error },
})

const HEAD = ['id', 'purchase', 'due', 'what', 'status', 'reason']

const toLine = ({ id, purchaseId, dueAt, revokeImmediately, status, error }: Action): string[] => [
  id,
  purchaseId,
  dueAt,
  revokeImmediately ? 'revoke' : 'cancel',
  status,
  error ?? '',
]

import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, toLimit, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { twoDecimals } from '../../core/money/money'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { RefundShieldMetricsView, RefundShieldResponse } from './operator-wire'
import type { RefundShieldStatus } from './plan'

const options = {
  ...projectOptions,
  status: { type: 'string' },
  limit: { type: 'string' },
} as const

export const refundShieldCommand: Command = {
  name: 'refund-shield',
  summary: 'list what the iOS store asked about refunds, and what it was answered',
  help: `
svc refund-shield list [--project P] [--status S] [--limit 50]

When a customer asks the iOS store for a refund, the store asks how far the purchase was used. A project answers once
stores.refundShield is enabled and customerConsented, and an in-app purchase key is saved, all with svc apply.

  --project P  slug or id; needless with one project
  --status S   PENDING, SENT, FAILED, SKIPPED_DISABLED or SKIPPED_NOT_FOUND
  --data DIR, --json
${remoteHelp(15)}

Example: svc refund-shield list --project sleep-app --status failed`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length !== 1 || positionals[0] !== 'list') throw new UsageError('refund-shield takes list')
    const query = { status: toStatus(values.status) }
    const limit = toLimit(values.limit)
    return withProject(io, values, async (project) => {
      const metrics = await project.call('GET', ['refund-shield', 'metrics'], { data: Metrics })
      const { items } = await project.list(['refund-shield', 'responses'], { item: Response, query, limit })
      io.out(
        values.json
          ? JSON.stringify({ metrics: toMetrics(metrics), items: items.map(toJson) })
          : report(metrics, items),
      )
      return 0
    })
  },
}

/** A newer server may answer more. */
const Metrics = Type.Omit(RefundShieldMetricsView, [], { additionalProperties: true })
const Response = Type.Omit(RefundShieldResponse, [], { additionalProperties: true })
type Metrics = Static<typeof RefundShieldMetricsView>
type Response = Static<typeof RefundShieldResponse>

const STATUSES: readonly RefundShieldStatus[] = ['PENDING', 'SENT', 'FAILED', 'SKIPPED_DISABLED', 'SKIPPED_NOT_FOUND']

function toStatus(given: string | undefined): RefundShieldStatus | undefined {
  const status = STATUSES.find((name) => name === given?.toUpperCase())
  if (given !== undefined && !status) throw new UsageError(`--status is one of ${STATUSES.join(', ')}`)
  return status
}

const toMetrics = ({ requests, sent, declined, approved, savedMicros }: Metrics): Metrics => ({
  ...{ requests, sent, declined, approved, savedMicros },
})

const toJson = ({ id, subscriberId, transactionId, status, outcome, attempts, error, ...row }: Response) => ({
  ...{ id, subscriberId, transactionId, status, outcome, attempts, error },
  ...{ askedAt: row.askedAt, dueAt: row.dueAt, sentAt: row.sentAt },
})

function report(metrics: Metrics, rows: readonly Response[]): string {
  const { requests, sent, declined, approved, savedMicros } = metrics
  const saved = twoDecimals(savedMicros)
  const counts = `${requests} requests: ${sent} answered; ${declined} refunds declined, ${approved} approved; ${saved} USD kept.`
  return rows.length === 0 ? counts : `${table([HEAD, ...rows.map(toLine)])}\n\n${counts}`
}

const HEAD = ['id', 'asked', 'transaction', 'status', 'outcome', 'due', 'sent', 'reason']

const toLine = ({ id, askedAt, transactionId, status, outcome, dueAt, sentAt, error }: Response): string[] => [
  ...[id, askedAt, transactionId, status, outcome ?? '-'],
  ...[dueAt, sentAt ?? '-', error ?? ''],
]

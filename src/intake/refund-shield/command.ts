import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { requireProject } from '../../projects/project/lookup'
import type { RefundShieldStatus } from './plan'
import { listResponses, type RefundShieldMetrics, type ResponseRow, refundShieldMetrics } from './service'

const options = {
  project: { type: 'string' },
  status: { type: 'string' },
  limit: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
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

Example: svc refund-shield list --project sleep-app --status failed`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length !== 1 || positionals[0] !== 'list') throw new UsageError('refund-shield takes list')
    const status = toStatus(values.status)
    const limit = toLimit(values.limit)
    return withContext(io, values, async (ctx) => {
      const { id } = await requireProject(ctx, values.project)
      const [metrics, rows] = [await refundShieldMetrics(ctx, id), await listResponses(ctx, id, { status, limit })]
      io.out(values.json ? JSON.stringify({ metrics, items: rows.map(toWire) }) : report(metrics, rows))
      return 0
    })
  },
}

const STATUSES: readonly RefundShieldStatus[] = ['PENDING', 'SENT', 'FAILED', 'SKIPPED_DISABLED', 'SKIPPED_NOT_FOUND']

function toStatus(given: string | undefined): RefundShieldStatus | undefined {
  const status = STATUSES.find((name) => name === given?.toUpperCase())
  if (given !== undefined && !status) throw new UsageError(`--status is one of ${STATUSES.join(', ')}`)
  return status
}

function toLimit(text = '50'): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit === 0) throw new UsageError(`--limit takes a whole number above 0, not "${text}"`)
  return limit
}

const toWire = ({ id, subscriberId, transactionId, status, outcome, attempts, error, ...row }: ResponseRow) => ({
  id,
  subscriberId,
  transactionId,
  status,
  outcome,
  attempts,
  error,
  askedAt: toIso(row.askedAt),
  dueAt: toIso(row.dueAt),
  sentAt: toIsoOrNull(row.sentAt),
})

function report(metrics: RefundShieldMetrics, rows: readonly ResponseRow[]): string {
  const { requests, sent, declined, approved, savedMicros } = metrics
  const saved = (savedMicros / 1_000_000).toFixed(2)
  const counts = `${requests} requests: ${sent} answered; ${declined} refunds declined, ${approved} approved; ${saved} USD kept.`
  return rows.length === 0 ? counts : `${table([HEAD, ...rows.map(toLine)])}\n\n${counts}`
}

const HEAD = ['id', 'asked', 'transaction', 'status', 'outcome', 'due', 'sent', 'reason']

const toLine = ({ id, transactionId, status, outcome, error, ...row }: ResponseRow): string[] => [
  id,
  toIso(row.askedAt),
  transactionId,
  status,
  outcome ?? '-',
  toIso(row.dueAt),
  toIsoOrNull(row.sentAt) ?? '-',
  error ?? '',
]

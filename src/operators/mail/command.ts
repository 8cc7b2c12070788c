import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, toLimit, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { listOutbox, type MailView, toMailView } from './outbox'
import { findMail } from './queries'
import { MAIL_STATUSES, type MailStatus } from './tables'

const options = {
  status: { type: 'string' },
  limit: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

export const outboxCommand: Command = {
  name: 'outbox',
  summary: 'read the mail that was sent, or waits',
  help: `
svc outbox [list] [--status QUEUED|SENT|KEPT|FAILED|SUPPRESSED] [--limit 50]
svc outbox show ID

Without a mail server (SVC_SMTP_URL) every mail is KEPT here, with its link. A text is blanked once it was sent or its
link has died. With SVC_MASTER_KEY=off texts are not stored: the link is in the log of the server only.

  --data DIR, --json

Example: svc outbox list --status kept`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values)
    return withContext(io, values, (ctx) => work(ctx, io))
  },
}

type Work = (ctx: Context, io: Io) => Promise<number>

function toWork([action = 'list', id, ...more]: readonly string[], values: Values): Work {
  if (action === 'list' && id === undefined) return list(values)
  if (action === 'show' && id !== undefined && more.length === 0) return show(id, values)
  throw new UsageError('outbox takes list or show ID')
}

function list({ status, limit, json }: Values): Work {
  const filter = { status: toStatus(status), limit: toLimit(limit) }
  return async (ctx, io) => {
    const rows = await listOutbox(ctx, { ...filter, limit: filter.limit + 1 })
    const items = rows.slice(0, filter.limit).map((row) => toMailView(ctx, row))
    if (json) io.out(JSON.stringify({ items, hasMore: rows.length > filter.limit }))
    else io.out(items.length === 0 ? 'The outbox has no such mail.' : table([HEAD, ...items.map(toLine)]))
    return 0
  }
}

function toStatus(text: string | undefined): MailStatus | undefined {
  const status = MAIL_STATUSES.find((name) => name === text?.toUpperCase())
  if (text !== undefined && !status)
    throw new UsageError(`--status is one of ${MAIL_STATUSES.join(', ')}, not "${text}"`)
  return status
}

const HEAD = ['id', 'to', 'kind', 'status', 'written', 'link or reason']

const toLine = ({ id, to, kind, status, createdAt, link, lastError, textState }: MailView): string[] => [
  id,
  to,
  kind,
  status,
  createdAt,
  link ?? lastError ?? REASONS[textState],
]

const REASONS = {
  READABLE: '',
  BLANKED: 'blanked',
  IN_MEMORY: 'not stored without a master key; see the log of the server',
  UNREADABLE: 'encrypted with another master key',
  WITHHELD: 'shown on the machine of the server only',
}

function show(id: string, { json }: Values): Work {
  return async (ctx, io) => {
    const row = await findMail(ctx, id)
    if (!row) throw new CommandFailure('NOT_FOUND', `The outbox has no mail "${id}".`)
    const view = toMailView(ctx, row)
    io.out(json ? JSON.stringify(view) : toText(view))
    return 0
  }
}

const toText = ({ to, subject, status, createdAt, lastError, text, textState }: MailView): string =>
  [
    `To:      ${to}`,
    `Subject: ${subject}`,
    `Written: ${createdAt}`,
    `Status:  ${status}${lastError === null ? '' : ` (${lastError})`}`,
    '',
    text?.trimEnd() ?? `The text cannot be read: ${REASONS[textState]}.`,
  ].join('\n')

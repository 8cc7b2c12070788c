import { parseArgs } from 'node:util'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { reasonOf } from './doctor'
import { MIRRORED } from './mirror'
import type { Mirror } from './mirror-state'
import { beginAnew } from './prepare'
import { type AnalyticsStatus, analyticsStatus } from './status'

export const analyticsCommand: Command = {
  name: 'analytics',
  summary: 'the copy in ClickHouse: how far it is, and copying everything (again)',
  help: `
svc analytics status
svc analytics backfill [--again]

Where SVC_ANALYTICS_URL names ClickHouse, a running server copies there what figures are made of. backfill does the same
now and waits until all is copied; it can be ended and run again at any time. --again copies every row anew, for example
into an empty database.

  --data DIR, --json

Example: svc analytics status`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, ...more] = positionals
    if (more.length === 0 && action === 'status' && !values.again)
      return withContext(io, values, (ctx) => told(io, ctx, values))
    if (more.length === 0 && action === 'backfill') return withContext(io, values, (ctx) => backfill(io, ctx, values))
    throw new UsageError('analytics takes status, or backfill')
  },
}

const options = { data: { type: 'string' }, json: { type: 'boolean' }, again: { type: 'boolean' } } as const

interface Values {
  json?: boolean | undefined
  again?: boolean | undefined
}

async function told(io: Io, ctx: Context, { json }: Values): Promise<number> {
  required(ctx)
  const status = await analyticsStatus(ctx)
  io.out(json ? JSON.stringify(status) : statusText(status))
  return 0
}

const statusText = ({ tables, waiting, isComplete }: AnalyticsStatus): string =>
  [
    ...tables.map(
      ({ name, copied, isComplete }) => `${name}: ${copied} rows copied${isComplete ? '' : ', not all yet'}`,
    ),
    `${waiting} changes wait to be copied.`,
    isComplete ? 'Figures are read from ClickHouse.' : 'Figures are read from the database until all is copied.',
  ].join('\n')

async function backfill(io: Io, ctx: Context, values: Values): Promise<number> {
  const mirror = required(ctx)
  try {
    if (values.again) await beginAnew(ctx, mirror.handle.tables, MIRRORED)
    await mirror.copyAll(async () => {
      const { tables, waiting } = await analyticsStatus(ctx)
      const copied = tables.reduce((sum, one) => sum + one.copied, 0)
      io.progress(`${copied} rows copied, ${waiting} changes wait`)
    })
    io.progress(null)
  } catch (error) {
    if (!(error instanceof AppError) || error.refusal !== 'ANALYTICS_UNREACHABLE') throw error
    throw new CommandFailure('ANALYTICS_UNREACHABLE', `ClickHouse does not answer (${reasonOf(error)}).`)
  }
  return told(io, ctx, values)
}

function required({ state: { analytics } }: Context): Mirror {
  if (analytics) return analytics
  throw new CommandFailure('VALIDATION_ERROR', 'SVC_ANALYTICS_URL names no ClickHouse.')
}

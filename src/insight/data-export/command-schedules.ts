import { parseArgs } from 'node:util'
import { found, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { isBucket } from '../../base/lib/bucket-address'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { createSchedule, removeSchedule } from './admin'
import type { ScheduleView } from './admin-wire'
import {
  commonOptions,
  contentOptions,
  type ExportAction,
  readContent,
  readCredentials,
  readService,
} from './command-options'
import { MAX_SCHEDULES, type S3Credentials } from './model'
import { listScheduleViews } from './views'

interface CommonValues {
  project?: string | undefined
  data?: string | undefined
}

const withProject = (io: Io, values: CommonValues, work: (ctx: Context, projectId: string) => Promise<number>) =>
  withContext(io, values, async (ctx) => work(ctx, (await requireProject(ctx, values.project)).id))

export const scheduleAction: ExportAction = {
  usage: `svc export-data schedule --to PLACE [--table T,…] [--format F] [--columns C] [--daily-at HH:MM]
                                  the server writes what changed every day, first everything; a folder lies below
                                  exports of the data folder; the credentials of a bucket are kept encrypted`,
  async run(args, io) {
    const options = { ...commonOptions, ...contentOptions, 'daily-at': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length > 0) throw new UsageError('export-data schedule takes options only')
    const { to } = values
    if (!to) throw new UsageError('export-data schedule needs a place: --to')
    const content = readContent(values)
    return withProject(io, values, async (ctx, projectId) => {
      const service = isBucket(to) ? { ...readService(values, io), credentials: lastingCredentials(io) } : {}
      const input = { ...content, ...service, to: to.replace(/\/$/, ''), dailyAt: values['daily-at'] }
      const made = await createSchedule(ctx, { projectId, actor: CLI_ACTOR, isTrusted: true }, input)
      io.out(values.json ? JSON.stringify(made) : toTable([made]))
      return 0
    })
  },
}

function lastingCredentials(io: Io): S3Credentials {
  const credentials = readCredentials(io)
  if (credentials.sessionToken === null) return credentials
  throw new UsageError('a schedule needs lasting credentials; those with AWS_SESSION_TOKEN end after some hours')
}

export const schedulesAction: ExportAction = {
  usage: 'svc export-data schedules         the scheduled exports, and how the last ones ended',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: commonOptions })
    if (positionals.length > 0) throw new UsageError('export-data schedules takes no name')
    return withProject(io, values, async (ctx, projectId) => {
      const { items: schedules } = await listScheduleViews(ctx, projectId, { limit: MAX_SCHEDULES })
      if (values.json) io.out(JSON.stringify({ schedules }))
      else io.out(schedules.length === 0 ? 'No export is scheduled.' : toTable(schedules))
      return 0
    })
  },
}

export const unscheduleAction: ExportAction = {
  usage: 'svc export-data unschedule ID     ends a scheduled export; what it has written stays',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: commonOptions })
    const [id, ...more] = positionals
    if (id === undefined || more.length > 0) throw new UsageError('export-data unschedule takes the ID of a schedule')
    return withProject(io, values, async (ctx, projectId) => {
      await found(`scheduled export ${id}`, removeSchedule(ctx, { projectId, actor: CLI_ACTOR }, id))
      io.out(values.json ? JSON.stringify({ deleted: true }) : `${id} is deleted.`)
      return 0
    })
  },
}

const toTable = (schedules: readonly ScheduleView[]): string =>
  table([['id', 'to', 'tables', 'format', 'daily at', 'next', 'last'], ...schedules.map(toLine)])

const toLine = ({ id, to, tables, format, dailyAt, nextRunAt, lastRun, lastError }: ScheduleView): string[] => [
  ...[id, to, tables.join(','), format, `${dailyAt} UTC`, nextRunAt ?? 'off'],
  lastRun === null ? '-' : `${lastRun.status}${lastError === null ? '' : ` (${lastError})`}`,
]

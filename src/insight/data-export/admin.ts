import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { DEFAULT_DAILY_AT, dailyAtFaults, nextDaily } from '../../base/jobs/daily'
import type { Fault } from '../../core/text/fault'
import { requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { conflict, type Edit, editProject, isSame, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { type ScheduleView, toScheduleView } from './admin-wire'
import { scheduleContent, scheduleEntry } from './audit-entry'
import { contentFaults, contentOf } from './content'
import { sealCredentials } from './credentials'
import { type ColumnSet, type ExportFormat, type ExportTable, MAX_SCHEDULES, type S3Credentials } from './model'
import {
  deleteSchedule,
  failOpenRuns,
  findLastRun,
  findSchedule,
  insertSchedule,
  pageSchedules,
  type ScheduleRow,
  updateSchedule,
} from './queries'
import { type CheckedTarget, checkTarget } from './schedule-target'

export interface ScheduleInput {
  /** `s3://bucket/prefix`; from the command line also a folder. */
  to: string
  endpoint?: string | null | undefined
  region?: string | null | undefined
  credentials?: S3Credentials | undefined
  tables?: readonly ExportTable[] | undefined
  format?: ExportFormat | undefined
  columns?: ColumnSet | undefined
  dailyAt?: string | undefined
  isEnabled?: boolean | undefined
}

/** The members of a schedule that a change names; the others stay. */
export type ScheduleChange = { [Name in keyof ScheduleInput]?: ScheduleInput[Name] | undefined }

/** Who changes a schedule, and whether that is the command line of the server. */
export interface ScheduleActor extends ProjectActor {
  isTrusted: boolean
}

/**
 * A new schedule, which runs first when its time next comes. 400 `VALIDATION_ERROR`; 409 `CONFLICT` for the eleventh; 503
 * `FEATURE_NOT_CONFIGURED` without a master key, because credentials are stored encrypted.
 */
export async function createSchedule(ctx: Context, by: ScheduleActor, input: ScheduleInput): Promise<ScheduleView> {
  refuseFaults(inputFaults(input))
  const { to, endpoint = null, region = null, credentials, dailyAt = DEFAULT_DAILY_AT, isEnabled = true } = input
  const target = await checkTarget(ctx, { to, endpoint, region, isTrusted: by.isTrusted })
  refuseCredentials(target, credentials !== undefined)
  return editProject(ctx, by, async (edit) => {
    const { tx, projectId, now, entries } = edit
    const saved = await pageSchedules(tx, projectId, { limit: MAX_SCHEDULES })
    if (saved.length >= MAX_SCHEDULES)
      throw conflict(`A project has at most ${MAX_SCHEDULES} schedules of exports; delete one first`)
    const id = tx.ids.next('exs')
    const row: ScheduleRow = {
      ...{ id, projectId, ...targetColumns(target), ...contentColumns(contentOf(input)) },
      ...(credentials ? sealCredentials(tx, id, credentials) : NO_CREDENTIALS),
      ...{ dailyAt, isEnabled, nextRunAt: nextDaily(now, dailyAt), failures: 0, lastError: null },
      ...{ createdAt: now, updatedAt: now },
    }
    await insertSchedule(tx, row)
    entries.push(scheduleEntry('create', null, row))
    return toScheduleView(row, null, await revisionAfter(edit, id))
  })
}

/**
 * Members that are left out stay. Another place needs its credentials again, so that nobody can have the saved ones used
 * elsewhere. Refusals as for `createSchedule`.
 */
export async function changeSchedule(
  ctx: Context,
  by: ScheduleActor,
  id: string,
  change: ScheduleChange,
): Promise<ScheduleView> {
  const known = await findSchedule(ctx, by.projectId, id)
  if (!known) throw notFound('schedule', id)
  const wanted = { ...settingsOf(known), ...withoutUndefined(change) }
  refuseFaults(inputFaults(wanted))
  // Outside of the transaction, because it looks up the host.
  const target = movesTarget(change) ? await checkTarget(ctx, { ...wanted, isTrusted: by.isTrusted }) : null
  return editProject(ctx, by, async (edit) => {
    const saved = await requireOwn(edit, id, by.expected)
    const row = await writeChange(edit, saved, change, target && isMoved(target, saved) ? target : null)
    return toScheduleView(row, await findLastRun(edit.tx, by.projectId, id), await revisionAfter(edit, id))
  })
}

async function writeChange(
  { tx, now, entries }: Edit,
  saved: ScheduleRow,
  change: ScheduleChange,
  target: CheckedTarget | null,
): Promise<ScheduleRow> {
  const { dailyAt, isEnabled, credentials } = { ...settingsOf(saved), ...withoutUndefined(change) }
  if (target) refuseCredentials(target, credentials !== undefined)
  else if (credentials && saved.sealedCredentials === null) throw invalid('a folder takes no credentials')
  const content = contentOf({ ...settingsOf(saved), ...withoutUndefined(change) })
  const wanted: ScheduleRow = {
    ...saved,
    ...(target && { ...targetColumns(target), ...NO_CREDENTIALS }),
    ...contentColumns(content),
    ...{ dailyAt, isEnabled },
  }
  if (isSame(scheduleContent(wanted), scheduleContent(saved)) && !credentials) return saved
  const isSameWork = isSame(workOf(wanted), workOf(saved))
  const isSameTime = dailyAt === saved.dailyAt && isEnabled === saved.isEnabled
  const row: ScheduleRow = {
    ...wanted,
    ...(credentials && sealCredentials(tx, saved.id, credentials)),
    ...(!isSameTime && { nextRunAt: nextDaily(now, dailyAt) }),
    ...{ failures: 0, lastError: null, updatedAt: now },
  }
  await updateSchedule(tx, saved.id, row)
  if (!isSameWork) await failOpenRuns(tx, saved.id, 'the schedule was changed', now)
  entries.push(scheduleEntry('update', saved, row))
  return row
}

/** 404 when there is no such schedule, so also when it is repeated. What it has written stays. */
export const removeSchedule = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireOwn(edit, id, by.expected)
    await deleteSchedule(edit.tx, id)
    await failOpenRuns(edit.tx, id, 'the schedule was deleted', edit.now)
    edit.entries.push(scheduleEntry('delete', row, null))
  })

async function requireOwn({ tx, projectId }: Edit, id: string, expected: number | null = null): Promise<ScheduleRow> {
  const row = await findSchedule(tx, projectId, id)
  if (!row) throw notFound('schedule', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

const NO_CREDENTIALS = { sealedCredentials: null, accessKeyLast4: null }

const targetColumns = ({ to, endpoint, region, isTrusted }: CheckedTarget) => ({
  ...{ target: to, endpoint, region, isTrusted },
})

const contentColumns = ({ tables, format, columns }: ReturnType<typeof contentOf>) => ({
  ...{ content: [...tables], format, columnSet: columns },
})

const settingsOf = (row: ScheduleRow) => ({
  ...{ to: row.target, endpoint: row.endpoint, region: row.region, tables: row.content, format: row.format },
  ...{ columns: row.columnSet, dailyAt: row.dailyAt, isEnabled: row.isEnabled, credentials: undefined },
})

/** What a run that has started is made for. */
const workOf = ({ target, endpoint, content, format, columnSet }: ScheduleRow) => ({
  ...{ target, endpoint, content, format, columnSet },
})

/** The members that a change names. */
type Named<Members> = { [Name in keyof Members]: Exclude<Members[Name], undefined> }
const withoutUndefined = <Members extends object>(members: Members): Named<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Named<Members>

const movesTarget = ({ to, endpoint, region }: ScheduleChange): boolean =>
  [to, endpoint, region].some((member) => member !== undefined)

const isMoved = ({ to, endpoint, region }: CheckedTarget, saved: ScheduleRow): boolean =>
  to !== saved.target || endpoint !== saved.endpoint || region !== saved.region

function inputFaults(input: ScheduleChange): Fault[] {
  const { dailyAt, credentials } = input
  const faults = contentFaults(input)
  if (dailyAt !== undefined) faults.push(...dailyAtFaults(dailyAt))
  if (credentials && !/^[\x21-\x7e]{1,128}$/.test(credentials.accessKeyId))
    faults.push({ path: 'accessKeyId', message: 'accessKeyId must be the id of an access key' })
  if (credentials && !/^[\x21-\x7e]{1,256}$/.test(credentials.secretAccessKey))
    faults.push({ path: 'secretAccessKey', message: 'secretAccessKey must be the secret of that access key' })
  return faults
}

function refuseCredentials({ isFolder }: CheckedTarget, areGiven: boolean): void {
  const message = isFolder ? 'a folder takes no credentials' : 'a bucket needs accessKeyId and secretAccessKey'
  if (isFolder === areGiven) refuseFaults([{ path: 'accessKeyId', message }])
}

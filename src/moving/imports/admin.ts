import type { Context } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { writeQueued } from '../../base/jobs/queue'
import { requireRevision, revisionAfter } from '../../projects/audit/revisions'
import {
  conflict,
  type Edit,
  editDashboard,
  editDashboardWithin,
  given,
  isSame,
  type ProjectActor,
  refuseFaults,
} from '../../projects/project/edit'
import { importEntry } from './audit-entry'
import { enqueueImport } from './jobs'
import { type ImportAction, NO_COUNTERS, NO_FINDINGS, refuseState } from './machine'
import { mappingFaults, missingFields, normalised } from './mapping'
import type { ImportMapping, ImportOptions, ImportStatus } from './model'
import { findJob, type ImportJobRow, updateJob } from './queries'
import { type ImportView, toImportView } from './views'

export interface MappingChange {
  columns?: ImportMapping['columns'] | undefined
  valueMap?: ImportMapping['valueMap'] | undefined
  options?: { [Name in keyof ImportOptions]?: boolean | undefined } | undefined
}

/**
 * Members that are left out stay, and the job must be tried again before it is committed. 400 `VALIDATION_ERROR` for a
 * column or a header that does not exist, 409 `IMPORT_JOB_STATE` while work continues, 409 `CONFLICT` without files.
 */
export const changeMapping = (ctx: Context, by: ProjectActor, id: string, change: MappingChange): Promise<ImportView> =>
  editDashboard(ctx, by, async (edit) => {
    const job = await requireFor(edit, 'editMapping', id, by.expected)
    const columns = change.columns ?? job.mapping?.columns ?? {}
    const mapping = normalised({ columns, valueMap: change.valueMap ?? job.mapping?.valueMap ?? {} })
    refuseFaults(mappingFaults(mapping, job.headers))
    const options = { ...job.options, ...named(change.options ?? {}) }
    if (isSame({ mapping, options }, { mapping: job.mapping ?? NO_MAPPING, options: job.options }))
      return viewOf(edit, job)
    return viewOf(
      edit,
      await save(edit, job, 'updateMapping', { mapping, options, ...AGAIN, status: 'PENDING_MAPPING' }),
    )
  })

const NO_MAPPING: ImportMapping = { columns: {}, valueMap: {} }

const named = (options: NonNullable<MappingChange['options']>): Partial<ImportOptions> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** The state that a restarted job drops. Its written rows can still be undone. */
export const AGAIN = {
  ...{ counters: NO_COUNTERS, findings: NO_FINDINGS, checkpoint: null, error: null, owner: null, finishedAt: null },
}

/** Who does the work that an action starts: the server by its queue, or the process that calls (the command line). */
export type Worker = 'QUEUE' | 'CALLER'

/** Reads everything and writes nothing. 400 `IMPORT_MAPPING_INCOMPLETE`; otherwise as `changeMapping`. */
export const startDryRun = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  worker: Worker = 'QUEUE',
): Promise<ImportView> =>
  begin(ctx, by, worker, async (edit) => {
    const job = await requireFor(edit, 'dryRun', id, by.expected)
    const missing = missingFields(job.kind, job.preset, job.mapping)
    if (missing.length > 0) throw new AppError('IMPORT_MAPPING_INCOMPLETE', { missingFields: missing })
    return save(edit, job, 'dryRun', { ...AGAIN, status: 'DRY_RUN_RUNNING' })
  })

/** Writes the rows of a dry run that has ended, and asks the stores afterwards. */
export const startCommit = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  worker: Worker = 'QUEUE',
): Promise<ImportView> =>
  begin(ctx, by, worker, async (edit) => {
    const job = await requireFor(edit, 'commit', id, by.expected)
    // The first time counts, because what others wrote after it stays when the import is taken back.
    const committedAt = (job.undoneAt === null ? job.committedAt : null) ?? edit.now
    const kept = { ...AGAIN, ...knownBefore(job) }
    return save(edit, job, 'commit', { ...kept, status: 'RUNNING', committedAt, undoneAt: null })
  })

/** What the dry run has found of the whole file, and the writing of one batch after another does not find again. */
function knownBefore({ findings, counters }: ImportJobRow): Pick<ImportJobRow, 'findings' | 'counters'> {
  const { fileRows, forecast, products, errors } = findings
  const warnings = errors.filter(({ severity }) => severity === 'WARNING')
  return {
    findings: { ...NO_FINDINGS, errors: warnings, ...given({ fileRows, forecast, products }) },
    counters: { ...NO_COUNTERS, warnings: counters.warnings ?? 0 },
  }
}

/** Continues the verification at the stores. While it runs, this only makes sure that a process does it. */
export const resumeImport = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  worker: Worker = 'QUEUE',
): Promise<ImportView> =>
  begin(ctx, by, worker, async (edit) => {
    const job = await requireFor(edit, 'resume', id, by.expected)
    if (job.status === 'VERIFYING') return job
    return save(edit, job, 'resume', { status: 'VERIFYING', error: null, owner: null })
  })

/** Written rows stay. */
export const cancelImport = (ctx: Context, by: ProjectActor, id: string): Promise<ImportView> =>
  editDashboard(ctx, by, async (edit) => {
    const job = await requireFor(edit, 'cancel', id, by.expected)
    const status: ImportStatus = 'CANCELLED'
    return viewOf(edit, await save(edit, job, 'cancel', { status, owner: null, finishedAt: edit.now }))
  })

/**
 * Takes back what only this import has brought. 409 `IMPORT_JOB_STATE` while work runs and when nothing was written,
 * 409 `CONFLICT` when it is taken back already.
 */
export const startUndo = (ctx: Context, by: ProjectActor, id: string, worker: Worker = 'QUEUE'): Promise<ImportView> =>
  begin(ctx, by, worker, async (edit) => {
    const job = await requireFor(edit, 'undo', id, by.expected)
    if (job.committedAt === null) throw new AppError('IMPORT_JOB_STATE', { action: 'undo', state: job.status })
    if (job.undoneAt !== null) throw conflict('The import is taken back already')
    return save(edit, job, 'undo', { status: 'UNDOING', error: null, owner: null, finishedAt: null })
  })

async function begin(
  ctx: Context,
  by: ProjectActor,
  worker: Worker,
  work: (edit: Edit) => Promise<ImportJobRow>,
): Promise<ImportView> {
  return writeQueued(ctx, 'import', (tx) =>
    editDashboardWithin(tx, by, async (edit) => {
      const job = await work(edit)
      if (worker === 'QUEUE') await enqueueImport(tx, { projectId: by.projectId, jobId: job.id })
      return viewOf(edit, job)
    }),
  )
}

/** 404, 409 `CONFLICT` for another revision or a job without its files, 409 `IMPORT_JOB_STATE`. */
export async function requireFor(
  { tx, projectId }: Edit,
  action: ImportAction,
  id: string,
  expected: number | null = null,
): Promise<ImportJobRow> {
  const job = await findJob(tx, projectId, id)
  if (!job) throw notFound('import', id)
  await requireRevision(tx, projectId, id, expected)
  refuseState(action, job.status)
  if (job.filesDeletedAt !== null && !WITHOUT_FILES.includes(action))
    throw conflict('The files of this import are deleted; send them again as a new import')
  return job
}

const WITHOUT_FILES: readonly ImportAction[] = ['resume', 'cancel', 'undo', 'createProducts']

export async function save(
  { tx, now, entries }: Edit,
  before: ImportJobRow,
  verb: string,
  change: Partial<ImportJobRow>,
): Promise<ImportJobRow> {
  const all = { ...change, updatedAt: now, ...(change.owner === null && { seenAt: now }) }
  const after = { ...before, ...all }
  await updateJob(tx, before.id, all)
  entries.push(importEntry(verb, before, after))
  return after
}

export const viewOf = async (edit: Edit, job: ImportJobRow): Promise<ImportView> =>
  toImportView(job, await revisionAfter(edit, job.id))

/** 400 for a file of another kind, which cannot be added to a job. */
export function refuseOtherKind(job: ImportJobRow): void {
  if (job.kind !== 'ANDROID_TOKEN_ENRICHMENT') throw invalid('Only an import of Android tokens takes further files')
}

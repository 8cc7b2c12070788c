import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { faultsText, MAX_FAULTS } from '../../base/lib/faults'
import { canonicalJson } from '../../base/lib/hash'
import type { Fault } from '../../core/text/fault'
import { type Actor, type AuditEntry, recordAudit } from '../audit/audit'
import { lockProject, touchConfig } from './config-version'
import { findProject, type ProjectRow } from './queries'

/** The project that is changed, and who changes it. */
export interface ProjectActor {
  projectId: string
  actor: Actor
  /** The revision that the changed object must have (`If-Match`); absent or null = any. */
  expected?: number | null
  /**
   * Throws when the actor may not make the change any more. Called under the lock of the project, under which roles change
   * too. Absent = judged before.
   */
  judge?: (tx: Tx) => Promise<void>
  /** The actor called with a personal access token instead of a session. */
  hasToken?: boolean
}

/** A change of a project whose transaction is open. */
export interface Edit {
  tx: Tx
  projectId: string
  /** The project before the change. */
  project: ProjectRow
  now: number
  /** One entry for each object that was written so far. */
  entries: AuditEntry[]
}

/**
 * Runs one change of a project in one transaction, after any other change of that project has ended. The entries that
 * `work` adds are written to the audit log, and the configuration version is raised; without entries neither happens.
 * 404 when the project does not exist.
 */
export const editProject = async <Result>(
  ctx: Context,
  by: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<Result> => (await editVersion(ctx, by, work)).result

/** As `editProject`; also returns the configuration version after the change. */
export const editVersion = <Result>(
  ctx: Context,
  by: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<{ result: Result; configVersion: number }> => ctx.write((tx) => editWithin(tx, by, work))

/** As `editVersion`, in a transaction that is open already. */
export async function editWithin<Result>(
  tx: Tx,
  by: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<{ result: Result; configVersion: number }> {
  const { edit, result } = await runEdit(tx, by, work)
  const isChanged = edit.entries.length > 0
  return { result, configVersion: isChanged ? await touchConfig(tx, by.projectId) : edit.project.configVersion }
}

/**
 * As `editProject`, for objects that only the dashboard reads: the configuration version stays, so that no device loads
 * its configuration again.
 */
export const editDashboard = <Result>(
  ctx: Context,
  by: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<Result> => ctx.write((tx) => editDashboardWithin(tx, by, work))

/** As `editDashboard`, in a transaction that is open already. */
export const editDashboardWithin = async <Result>(
  tx: Tx,
  by: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<Result> => (await runEdit(tx, by, work)).result

async function runEdit<Result>(
  tx: Tx,
  by: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<{ edit: Edit; result: Result }> {
  const { projectId, actor } = by
  await lockProject(tx, projectId)
  const project = await findProject(tx, projectId)
  if (!project) throw notFound('project', projectId)
  await by.judge?.(tx)
  const edit: Edit = { tx, projectId, project, now: tx.clock.now(), entries: [] }
  const result = await work(edit)
  await recordAudit(tx, projectId, actor, edit.entries)
  return { edit, result }
}

/** 400 `VALIDATION_ERROR` with the places of the first faults, if there are any. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const fields = [...new Set(faults.map(({ path }) => path))].slice(0, MAX_FAULTS)
  const message = faultsText(faults.map((fault) => fault.message))
  throw new AppError('VALIDATION_ERROR', { fields }, { message })
}

export const conflict = (message: string): AppError => new AppError('CONFLICT', undefined, { message })

/** Whether two rows have the same content. The caller leaves out time stamps; writing equal content is not a change. */
export const isSame = (a: object, b: object): boolean => canonicalJson(a) === canonicalJson(b)

/** The members that a change names. The others keep their values. */
export const given = <Members extends object>(members: Members): Partial<Members> =>
  // Only members of `Members` are left.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>

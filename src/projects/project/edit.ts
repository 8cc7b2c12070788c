import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { canonicalJson } from '../../base/lib/hash'
import type { Fault } from '../../base/lib/matches'
import { type Actor, type AuditEntry, recordAudit } from '../audit/audit'
import { lockProject, touchConfig } from './config-version'
import { findProject, type ProjectRow } from './queries'

/** Who changes a project. */
export interface ProjectActor {
  projectId: string
  actor: Actor
}

/** An open change of a project. */
export interface Edit {
  tx: Tx
  projectId: string
  /** The project before the change. */
  project: ProjectRow
  now: number
  /** What was written so far, one entry for each object. */
  entries: AuditEntry[]
}

/**
 * One change of a project in one transaction, after whatever else changes that project. What was written stands in the
 * audit log and moves the configuration version; where nothing was, nothing does. 404 without the project.
 */
export const editProject = async <Result>(
  ctx: Context,
  by: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<Result> => (await editVersion(ctx, by, work)).result

/** As `editProject`, with the configuration version after the change. */
export const editVersion = <Result>(
  ctx: Context,
  { projectId, actor }: ProjectActor,
  work: (edit: Edit) => Promise<Result>,
): Promise<{ result: Result; configVersion: number }> =>
  ctx.write(async (tx) => {
    await lockProject(tx, projectId)
    const project = await findProject(tx, projectId)
    if (!project) throw notFound()
    const edit: Edit = { tx, projectId, project, now: tx.clock.now(), entries: [] }
    const result = await work(edit)
    await recordAudit(tx, projectId, actor, edit.entries)
    const isChanged = edit.entries.length > 0
    return { result, configVersion: isChanged ? await touchConfig(tx, projectId) : project.configVersion }
  })

const SHOWN = 5

/** 400 `VALIDATION_ERROR` with the place of every fault, if there is any. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const fields = [...new Set(faults.map(({ path }) => path))]
  const more = faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : ''
  const told = faults.slice(0, SHOWN).map(({ message }) => message)
  throw new AppError('VALIDATION_ERROR', { fields }, { message: told.join('; ') + more })
}

export const conflict = (message: string): AppError => new AppError('CONFLICT', undefined, { message })

/** Whether two rows say the same; their stamps aside, a change to the same is none. */
export const isSame = (a: object, b: object): boolean => canonicalJson(a) === canonicalJson(b)

/** The members that a change names; what it leaves out stays. */
export const given = <Members extends object>(members: Members): Partial<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members> // Filtered.

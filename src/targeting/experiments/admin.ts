import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { AppError, notFound } from '../../base/errors'
import {
  findLastChange,
  listRevisions,
  listRevisionsWith,
  requireRevision,
  revisionAfter,
} from '../../projects/audit/revisions'
import { type Edit, editProject, given, isSame, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { type ExperimentAction, fixedMembers, moveExperiment } from './actions'
import { placementFaults, refuseTakenKey, refuseUnsound } from './admin-checks'
import { type ExperimentView, toExperimentView } from './admin-wire'
import { experimentEntry } from './audit-entry'
import { checkDetails } from './check-details'
import type { ExperimentStatus, ExperimentType, Variant } from './model'
import {
  type Experiment,
  type ExperimentTableRow,
  findExperiment,
  pageExperiments,
  writeExperiments,
} from './stored-experiments'

/** Times are milliseconds UTC. */
export interface ExperimentInput {
  key: string
  name: string
  type: ExperimentType
  /** Null = everybody. */
  audienceId: string | null
  /** Null = by the bucketing id. */
  bucketBy?: string | null
  variants: Variant[]
  metrics?: string[]
  mutualExclusionGroup?: string | null
  scheduledStartAt?: number | null
  scheduledStopAt?: number | null
  placementId?: string | null
}

/** The newest first. */
export async function listExperimentViews(ctx: Context, projectId: string, page: Page): Promise<Paged<ExperimentView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'exp')
  const { items, hasMore } = await paged(page, (limit) => pageExperiments(ctx, projectId, { ...page, limit }))
  return { items: items.map((row) => toExperimentView(row, revisions.get(row.id) ?? 1)), hasMore }
}

export async function getExperimentView(ctx: Context, projectId: string, id: string): Promise<ExperimentView> {
  const revisions = await listRevisions(ctx, projectId, [id])
  const row = await findExperiment(ctx, projectId, { id })
  if (!row) throw notFound('experiment', id)
  return toExperimentView(row, revisions.get(id) ?? 1)
}

/** The view of an experiment at the end of an edit. */
export const viewAfter = async (edit: Edit, row: ExperimentTableRow): Promise<ExperimentView> =>
  toExperimentView(row, await revisionAfter(edit, row.id))

/**
 * A new DRAFT. 400 `VALIDATION_ERROR` with the place of every fault, an unknown audience among them; 400
 * `UNKNOWN_REFERENCES` for what its variants show; 409 `CONFLICT` when the key names an experiment or a flag.
 */
export const createExperiment = (ctx: Context, by: ProjectActor, input: ExperimentInput): Promise<ExperimentView> =>
  editProject(ctx, by, async (edit) => {
    const row: Experiment = { ...NEW, id: edit.tx.ids.next('exp'), ...given(input) }
    await check(edit, row, null)
    return viewAfter(edit, await insertDraft(edit, 'create', row))
  })

const NEW = {
  status: 'DRAFT' as ExperimentStatus,
  key: '',
  name: '',
  type: 'FLAG' as ExperimentType,
  audienceId: null,
  bucketBy: null,
  variants: [] as Variant[],
  metrics: [] as string[],
  mutualExclusionGroup: null,
  placementId: null,
  scheduledStartAt: null,
  scheduledStopAt: null,
  startedAt: null,
  completedAt: null,
  winnerVariantId: null,
}

export async function insertDraft(edit: Edit, verb: string, row: Experiment): Promise<ExperimentTableRow> {
  const kept = { ...row, metrics: [...new Set(row.metrics)] }
  await writeExperiments(edit.tx, edit.projectId, { created: [kept], updated: [], deletedIds: [] })
  edit.entries.push(await experimentEntry(edit, verb, null, kept))
  return { ...kept, projectId: edit.projectId, createdAt: edit.now, updatedAt: edit.now }
}

/**
 * Members that are left out keep their value. A RUNNING experiment can be edited, except its key and type; 400
 * `EXPERIMENT_STATE` once it is PAUSED or COMPLETED. A subscriber whose variant is removed draws again.
 */
export const updateExperiment = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<ExperimentInput>,
): Promise<ExperimentView> =>
  editProject(ctx, by, async (edit) => {
    const saved = await requireExperiment(edit, id, by.expected)
    requireMove('edit', saved)
    refuseFaults(fixedMembers(saved, change))
    const { projectId, createdAt, updatedAt, ...before } = saved
    const wanted: Experiment = { ...before, ...given(change) }
    await check(edit, wanted, before)
    const after = { ...wanted, metrics: [...new Set(wanted.metrics)] }
    if (isSame(before, after)) return viewAfter(edit, saved)
    return viewAfter(edit, await saveExperiment(edit, 'update', saved, after))
  })

/** Only a DRAFT can be deleted, else 400 `EXPERIMENT_STATE`. */
export const deleteExperiment = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireExperiment(edit, id, by.expected)
    requireMove('delete', row)
    await writeExperiments(edit.tx, edit.projectId, { created: [], updated: [], deletedIds: [id] })
    edit.entries.push(await experimentEntry(edit, 'delete', row, null))
  })

async function check(edit: Edit, wanted: Experiment, before: Experiment | null): Promise<void> {
  const details = checkDetails(wanted, before, edit.now)
  const isNamed = details.every(({ path }) => path !== 'placementId')
  const placement = isNamed ? await placementFaults(edit, wanted.placementId, before?.placementId ?? null) : []
  await refuseUnsound(edit, wanted, [...details, ...placement])
  if (wanted.key !== before?.key) await refuseTakenKey(edit, wanted)
}

export async function requireExperiment(
  { tx, projectId }: Edit,
  id: string,
  expected: number | null = null,
): Promise<ExperimentTableRow> {
  const row = await findExperiment(tx, projectId, { id })
  if (!row) throw notFound('experiment', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

/** 400 `EXPERIMENT_STATE` unless the action is allowed now. */
export function requireMove(action: ExperimentAction, { status }: Pick<Experiment, 'status'>): void {
  const move = moveExperiment(action, status)
  if (!move.isAllowed)
    throw new AppError(move.refusal, move.details, { message: `Cannot ${action} an experiment that is ${status}` })
}

export async function saveExperiment(
  edit: Edit,
  verb: string,
  saved: ExperimentTableRow,
  change: Partial<Experiment>,
): Promise<ExperimentTableRow> {
  const { projectId, createdAt, updatedAt, ...before } = saved
  const after: Experiment = { ...before, ...change }
  await writeExperiments(edit.tx, projectId, { created: [], updated: [after], deletedIds: [] })
  edit.entries.push(await experimentEntry(edit, verb, before, after))
  return { ...saved, ...after, updatedAt: edit.now }
}

/** Who ended an experiment. A completed one is not changed any more, so it is who changed it last. */
export async function findDecider(
  ctx: Context,
  projectId: string,
  { experimentId, status }: { experimentId: string; status: string },
): Promise<string | null> {
  return status === 'COMPLETED' ? (await findLastChange(ctx, projectId, experimentId)).updatedBy : null
}

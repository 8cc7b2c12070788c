import type { Context } from '../../base/context'
import { type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { flagState } from '../../core/flag/file'
import type { FlagEnvironment, FlagType } from '../../core/flag/names'
import type { FlagRule } from '../../core/flag/schema'
import type { AuditEntry } from '../../projects/audit/audit'
import { listRevisions, listRevisionsWith, requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { type Edit, editProject, given, isSame, type ProjectActor } from '../../projects/project/edit'
import { changeEntry } from '../audiences/audit-entry'
import { listAudienceNames } from '../audiences/service'
import { type FlagView, toFlagView } from './admin-wire'
import { checked, type PartOfKey } from './checked'
import { refuseWhileRead } from './dependencies'
import { type Flag, type FlagPage, type FlagTableRow, findFlag, pageFlags, writeFlags } from './service'

export interface FlagInput {
  key: string
  env: FlagEnvironment
  type: FlagType
  defaultValue: unknown
  rules?: FlagRule[]
  isEnabled?: boolean
  description?: string | null
}

/** The newest first. */
export async function listFlagViews(ctx: Context, projectId: string, page: FlagPage): Promise<Paged<FlagView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'flg')
  const { items, hasMore } = await paged(page, (limit) => pageFlags(ctx, projectId, { ...page, limit }))
  return { items: items.map((row) => toFlagView(row, revisions.get(row.id) ?? 1)), hasMore }
}

export async function getFlagView(ctx: Context, projectId: string, id: string): Promise<FlagView> {
  const revisions = await listRevisions(ctx, projectId, [id])
  const row = await findFlag(ctx, projectId, id)
  if (!row) throw notFound('feature flag', id)
  return toFlagView(row, revisions.get(id) ?? 1)
}

/**
 * 400 `VALIDATION_ERROR` with the place of every fault, an unknown audience among them; 409 `CONFLICT` when the key is
 * taken in that environment, names an experiment, or the environment is full.
 */
export const createFlag = (ctx: Context, by: ProjectActor, input: FlagInput): Promise<FlagView> =>
  editProject(ctx, by, async (edit) => viewAfter(edit, await addFlag(edit, input)))

/** Adds a flag within an open edit. A flag is enabled unless the input says otherwise, as in a project file. */
export async function addFlag(edit: Edit, input: FlagInput, part: PartOfKey | null = null): Promise<FlagTableRow> {
  const { key, env, type, defaultValue, rules = [], isEnabled = true, description = null } = input
  const id = edit.tx.ids.next('flg')
  const flag: Flag = { id, key, env, type, description, isEnabled, defaultValue, rules }
  const row = await checked(edit, flag, null, part)
  await writeFlags(edit.tx, edit.projectId, { created: [row], updated: [], deletedIds: [] })
  edit.entries.push(await flagEntry(edit, 'create', null, row))
  return { ...row, projectId: edit.projectId, createdAt: edit.now, updatedAt: edit.now }
}

/** Members that are left out keep their value. Refusals as for `createFlag`. */
export const updateFlag = (ctx: Context, by: ProjectActor, id: string, change: Partial<FlagInput>): Promise<FlagView> =>
  editProject(ctx, by, async (edit) =>
    viewAfter(edit, await changeFlag(edit, await requireFlag(edit, id, by.expected), given(change))),
  )

const viewAfter = async (edit: Edit, row: FlagTableRow): Promise<FlagView> =>
  toFlagView(row, await revisionAfter(edit, row.id))

export async function changeFlag(
  edit: Edit,
  saved: FlagTableRow,
  change: Partial<Flag>,
  part: PartOfKey | null = null,
): Promise<FlagTableRow> {
  const { projectId, createdAt, updatedAt, ...before } = saved
  const after = await checked(edit, { ...before, ...change }, before, part)
  if (isSame(before, after)) return saved
  return writeOne(edit, saved, after)
}

/**
 * Switches a flag on or off and checks nothing else, so that a flag that was broken by hand can be switched off.
 */
export const toggleFlag = (ctx: Context, by: ProjectActor, id: string, isEnabled: boolean): Promise<FlagView> =>
  editProject(ctx, by, async (edit) => {
    const saved = await requireFlag(edit, id, by.expected)
    if (saved.isEnabled === isEnabled) return viewAfter(edit, saved)
    const { projectId, createdAt, updatedAt, ...before } = saved
    return viewAfter(edit, await writeOne(edit, saved, { ...before, isEnabled }))
  })

export const deleteFlag = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    await removeFlag(edit, await requireFlag(edit, id, by.expected))
  })

/** 409 `CONFLICT` while rules of other flags or of audiences read it. */
export async function removeFlag(edit: Edit, row: FlagTableRow): Promise<void> {
  await refuseWhileRead(edit.tx, edit.projectId, row, 'deleted')
  await writeFlags(edit.tx, edit.projectId, { created: [], updated: [], deletedIds: [row.id] })
  edit.entries.push(await flagEntry(edit, 'delete', row, null))
}

async function writeOne(edit: Edit, saved: FlagTableRow, after: Flag): Promise<FlagTableRow> {
  await writeFlags(edit.tx, edit.projectId, { created: [], updated: [after], deletedIds: [] })
  edit.entries.push(await flagEntry(edit, 'update', saved, after))
  return { ...saved, ...after, updatedAt: edit.now }
}

async function requireFlag({ tx, projectId }: Edit, id: string, expected: number | null = null): Promise<FlagTableRow> {
  const row = await findFlag(tx, projectId, id)
  if (!row) throw notFound('feature flag', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

/** The audit entry of a flag: it stores what a project file writes of it, with audiences by name. */
async function flagEntry(
  { tx, projectId }: Edit,
  verb: string,
  before: Flag | null,
  after: Flag | null,
): Promise<AuditEntry> {
  const names = { audiences: await listAudienceNames(tx, projectId) }
  return changeEntry('flag', verb, before, after, (row) => ({
    key: row.key,
    env: row.env,
    ...flagState(withList(row), names),
  }))
}

/** Rules that were broken by hand must not prevent that the flag is switched off. */
const withList = (row: Flag): Flag => (Array.isArray(row.rules) ? row : { ...row, rules: [] })

import type { Context } from '../../base/context'
import { type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { listRevisions, listRevisionsWith, requireRevision, revisionAfter } from '../../projects/audit/revisions'
import {
  conflict,
  type Edit,
  editProject,
  given,
  isSame,
  type ProjectActor,
  refuseFaults,
} from '../../projects/project/edit'
import { rulesFaults } from '../audiences/check'
import { descriptionFault } from '../audiences/json-value'
import { listAudienceNames } from '../audiences/service'
import { type FlagView, toFlagView } from './admin-wire'
import { flagEntry } from './audit-entry'
import { checkFlag, environmentSizeFault, MAX_PER_ENVIRONMENT } from './check'
import { refuseDependencies, refuseWhileRead } from './dependencies'
import { refuseHeldKey } from './key-holder'
import type { FlagEnvironment, FlagRule, FlagType } from './model'
import {
  countFlags,
  type Flag,
  type FlagPage,
  type FlagTableRow,
  findFlag,
  listFlagsIn,
  listFlagsOfKey,
  pageFlags,
  plainRule,
  writeFlags,
} from './service'

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

/** The id of the flag of a key in an environment. */
export async function flagIdOf(ctx: Context, projectId: string, key: string, env: FlagEnvironment): Promise<string> {
  const flag = (await listFlagsOfKey(ctx, projectId, key)).find((row) => row.env === env)
  if (!flag) throw notFound('feature flag', key)
  return flag.id
}

/**
 * 400 `VALIDATION_ERROR` with the place of every fault, an unknown audience among them; 409 `CONFLICT` when the key is
 * taken in that environment, names an experiment, or the environment is full.
 */
export const createFlag = (ctx: Context, by: ProjectActor, input: FlagInput): Promise<FlagView> =>
  editProject(ctx, by, async (edit) => viewAfter(edit, await addFlag(edit, input)))

/** A flag that is written together with the same key of all other environments. */
export interface PartOfKey {
  /** Where the flag is in the request: `environments.PROD.` */
  place: string
}

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
 * Switches a flag on or off and checks nothing else, so that a flag that somebody broke by hand can be switched off.
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

/** The flag in the form in which it is saved, or a refusal. */
async function checked(edit: Edit, flag: Flag, before: Flag | null, part: PartOfKey | null): Promise<Flag> {
  const { tx, projectId } = edit
  const audiences = await listAudienceNames(tx, projectId)
  const surroundings = {
    hasAudience: (id: string) => audiences.has(id),
    checkConditions: (document: unknown) => rulesFaults(document, new Set(audiences.values())),
  }
  const message = descriptionFault(flag.description)
  const described = message === null ? [] : [{ path: 'description', message: `description ${message}` }]
  const faults = [...checkFlag(flag, surroundings), ...described]
  const place = part?.place ?? ''
  refuseFaults(faults.map(({ path, message: text }) => ({ path: place + path, message: place + text })))
  await refuseDependencies(tx, projectId, flag, place)
  if (before && before.key !== flag.key) await refuseWhileRead(tx, projectId, before, 'renamed')
  await refuseCollision(edit, flag, before, part)
  return { ...flag, rules: flag.rules.map(plainRule) }
}

/** Refuses a flag that collides with another object of the same key, or for which the environment has no room. */
async function refuseCollision(edit: Edit, flag: Flag, before: Flag | null, part: PartOfKey | null): Promise<void> {
  const { tx, projectId } = edit
  const { id, key, env, type } = flag
  const others = (await listFlagsOfKey(tx, projectId, key)).filter((other) => other.id !== id)
  if (others.some((other) => other.env === env))
    throw conflict(`There is a flag ${key} in ${env} already; choose another key`)
  const unlike = part ? undefined : others.find((other) => other.type !== type)
  if (unlike)
    refuseFaults([{ path: 'type', message: `type must be ${unlike.type}, as the flag ${key} has it in ${unlike.env}` }])
  if (key !== before?.key) await refuseHeldKey(edit, key)
  if (env !== before?.env && (await countFlags(tx, projectId, env)) >= MAX_PER_ENVIRONMENT)
    throw conflict(`${env} has ${MAX_PER_ENVIRONMENT} flags, which is the most there can be; delete one first`)
  await refuseSize(edit, flag)
}

async function refuseSize({ tx, projectId }: Edit, flag: Flag): Promise<void> {
  const there = await listFlagsIn(tx, projectId, flag.env)
  const others = there.filter(({ id }) => id !== flag.id)
  const message = environmentSizeFault(flag.env, there, [...others, flag])
  if (message) throw conflict(message)
}

import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { AppError, notFound } from '../../base/errors'
import { type AudienceReference, checkAudience, DEFAULT_FIXED } from '../../core/audience/check'
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
import { type AudienceView, toAudienceView } from './admin-wire'
import { changeEntry } from './audit-entry'
import { listGroups } from './groups/service'
import { dependentFaults, findReferences } from './references'
import {
  type Audience,
  type AudienceRow,
  findAudience,
  listAudienceNames,
  pageAudiences,
  writeAudiences,
} from './service'

export interface AudienceInput {
  name: string
  description?: string | null
  rules: Record<string, unknown>
}

/** The newest first, each with what uses it. */
export async function listAudienceViews(ctx: Context, projectId: string, page: Page): Promise<Paged<AudienceView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'aud')
  const { items, hasMore } = await paged(page, (limit) => pageAudiences(ctx, projectId, { ...page, limit }))
  const [referencesTo, lists] = await Promise.all([findReferences(ctx, projectId), listGroups(ctx, projectId)])
  const views = items.map((row) => {
    const facts = { revision: revisions.get(row.id) ?? 1, list: lists.get(row.id) }
    return toAudienceView(row, referencesTo(row), facts)
  })
  return { items: views, hasMore }
}

export async function getAudienceView(ctx: Context, projectId: string, id: string): Promise<AudienceView> {
  const revisions = await listRevisions(ctx, projectId, [id])
  const row = await findAudience(ctx, projectId, id)
  if (!row) throw notFound('audience', id)
  const list = (await listGroups(ctx, projectId)).get(id)
  return toAudienceView(row, (await findReferences(ctx, projectId))(row), { revision: revisions.get(id) ?? 1, list })
}

/** 400 `VALIDATION_ERROR`; 409 `CONFLICT` when the name is taken. */
export const createAudience = (ctx: Context, by: ProjectActor, input: AudienceInput): Promise<AudienceView> =>
  editProject(ctx, by, async (edit) => {
    const { name, description = null, rules } = input
    const row: Audience = { id: edit.tx.ids.next('aud'), name, description, rules, isDefault: false }
    refuseFaults(checkAudience(row, await namesIn(edit)))
    await refuseTaken(edit, row)
    await writeAudiences(edit.tx, edit.projectId, { created: [row], updated: [], deletedIds: [] })
    edit.entries.push(entry('create', null, row))
    return toAudienceView(stamped(edit, row), [], await factsAfter(edit, row.id))
  })

/** Members that are left out stay. 409 `CONFLICT` for the default audience. */
export const updateAudience = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<AudienceInput>,
): Promise<AudienceView> =>
  editProject(ctx, by, async (edit) => {
    const saved = await requireOwn(edit, id, by.expected)
    const { projectId, createdAt, updatedAt, ...before } = saved
    const after: Audience = { ...before, ...given(change) }
    const references = (await findReferences(edit.tx, projectId))(saved)
    refuseFaults(checkAudience(after, await namesIn(edit))) // Before anything reads into it.
    if (isSame(before, after)) return toAudienceView(saved, references, await factsAfter(edit, id))
    await refuseTaken(edit, after)
    refuseFaults(await dependentFaults(edit.tx, projectId, after))
    if (before.name !== after.name) await refuseNamedGroup(edit, saved)
    await writeAudiences(edit.tx, projectId, { created: [], updated: [after], deletedIds: [] })
    edit.entries.push(entry('update', before, after))
    return toAudienceView({ ...stamped(edit, after), createdAt }, references, await factsAfter(edit, id))
  })

/** 409 `audience_in_use` with everything that names it; 409 `CONFLICT` for the default audience. */
export const deleteAudience = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireOwn(edit, id, by.expected)
    const references = (await findReferences(edit.tx, edit.projectId))(row)
    if (references.length > 0) throw inUse(row, references)
    await writeAudiences(edit.tx, edit.projectId, { created: [], updated: [], deletedIds: [id] })
    edit.entries.push(entry('delete', row, null))
  })

const factsAfter = async (edit: Edit, id: string) => ({
  revision: await revisionAfter(edit, id),
  list: (await listGroups(edit.tx, edit.projectId)).get(id),
})

const namesIn = async ({ tx, projectId }: Edit): Promise<ReadonlySet<string>> =>
  new Set((await listAudienceNames(tx, projectId)).values())

/** Rules name the audience whose list they ask for, so its name stays while they do. */
async function refuseNamedGroup({ tx, projectId }: Edit, { id, name }: AudienceRow): Promise<void> {
  const references = (await findReferences(tx, projectId))({ id: '', name }).filter((reference) => reference.id !== id)
  const [first] = references
  if (first)
    throw new AppError(
      'CONFLICT',
      { references },
      { message: `${name} cannot be renamed: ${first.type} ${first.name} names it with $inGroup; change that first` },
    )
}

function inUse({ name }: AudienceRow, references: AudienceReference[]): AppError {
  const users = references.map((reference) => `${reference.type} ${reference.name}`)
  const shown = users.slice(0, 5).join(', ') + (users.length > 5 ? ` and ${users.length - 5} more` : '')
  return new AppError(
    'audience_in_use',
    { references },
    { message: `${name} is in use by ${shown}; change that first` },
  )
}

async function requireOwn({ tx, projectId }: Edit, id: string, expected: number | null = null): Promise<AudienceRow> {
  const row = await findAudience(tx, projectId, id)
  if (!row) throw notFound('audience', id)
  if (row.isDefault) throw conflict(DEFAULT_FIXED)
  await requireRevision(tx, projectId, id, expected)
  return row
}

async function refuseTaken({ tx, projectId }: Edit, audience: Audience): Promise<void> {
  const names = await listAudienceNames(tx, projectId)
  const isTaken = [...names].some(([id, name]) => name === audience.name && id !== audience.id)
  if (isTaken) throw conflict(`There is an audience called ${audience.name} already; choose another name`)
}

const stamped = ({ projectId, now }: Edit, row: Audience): AudienceRow => ({
  ...row,
  projectId,
  createdAt: now,
  updatedAt: now,
})

const entry = (verb: string, before: Audience | null, after: Audience | null) =>
  changeEntry('audience', verb, before, after, imageOf)

/** The same members that a project file has for it. */
const imageOf = ({ name, description, rules }: Audience) => ({ name, description, rules })

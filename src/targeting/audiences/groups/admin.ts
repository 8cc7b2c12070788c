import type { Context } from '../../../base/context'
import { AppError, notFound } from '../../../base/errors'
import { DEFAULT_FIXED, listWarnings, type RuleWarning } from '../../../core/audience/check'
import { requireRevision } from '../../../projects/audit/revisions'
import { conflict, editProject, type ProjectActor, refuseFaults } from '../../../projects/project/edit'
import { findAudience } from '../service'
import { readMembers } from './group'
import { ERASED_MEANWHILE, hashLiving, type LivingMembers } from './living'
import { isUpToDate, listGroups, writeMembers } from './service'

export interface MembersView {
  audienceId: string
  members: number
  /** Absent where there is nothing to say. */
  warnings?: RuleWarning[]
}

/** Replaces the list of ids of an audience. 400 names the line that is wrong; 409 `CONFLICT` for the default audience. */
export async function replaceMembers(ctx: Context, by: ProjectActor, id: string, text: string): Promise<MembersView> {
  const inPart = ctx.state.longTurns.parts({ group: by.projectId })
  const found: { ids: string[] | string } = { ids: [] }
  await inPart(() => {
    found.ids = readMembers(text)
  })
  const { ids } = found
  if (typeof ids === 'string') {
    refuseFaults([{ path: 'members', message: `members ${ids}` }])
    throw new Error('a fault was not refused')
  }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const view = await writeList(ctx, by, id, await hashLiving(ctx, by.projectId, ids, inPart))
    if (view) return view
  }
  throw new AppError('QUEUE_UNAVAILABLE', { queue: 'audience-members' }, { message: ERASED_MEANWHILE })
}

/** How often a list is read again because a person was erased meanwhile. */
const MAX_ATTEMPTS = 5

/** Null when a person was erased since the list was read: it may name them. */
const writeList = (ctx: Context, by: ProjectActor, id: string, list: LivingMembers): Promise<MembersView | null> =>
  editProject(ctx, by, async ({ tx, projectId, entries }) => {
    const row = await findAudience(tx, projectId, id)
    if (!row) throw notFound('audience', id)
    if (row.isDefault) throw conflict(DEFAULT_FIXED)
    await requireRevision(tx, projectId, id, by.expected ?? null)
    if (!(await isUpToDate(tx, projectId, list))) return null
    const { size } = list
    const before = (await listGroups(tx, projectId)).get(id)?.size ?? 0
    await writeMembers(tx, projectId, id, list)
    const target = { type: 'audience', id }
    // The log holds counts only: it outlives the people whose ids were in the list.
    entries.push({ action: 'audience.members', target, before: { members: before }, after: { members: size } })
    const warnings = listWarnings(row.rules, size)
    return { audienceId: id, members: size, ...(warnings.length > 0 && { warnings }) }
  })

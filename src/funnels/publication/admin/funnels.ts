import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import type { FunnelContent } from '../../../core/funnel/model'
import { sells, templateContent } from '../../../core/funnel/templates/list'
import { refuseUsed } from '../../../projects/catalog/admin/users'
import { type Edit, editProject, type ProjectActor } from '../../../projects/project/edit'
import { FUNNELS } from '../project-file/form'
import { type FunnelRow, insertFunnels, listSlugs } from '../queries'
import { deleteFunnels } from '../service'
import { changedDraft, type GivenDraft } from './draft'
import { EMPTY, entry, refuseArchived, refuseReserved, refuseTaken, requireFunnel } from './edit-funnel'
import { save } from './save'
import { type FunnelView, viewAfter } from './view'

export interface FunnelInput extends GivenDraft {
  slug: string
  name: string
  templateId?: string
}

/**
 * A new draft, empty or with the pages of a template. 400 `VALIDATION_ERROR` with every fault, `UNKNOWN_REFERENCES`,
 * `asset_missing`; 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 201st.
 */
export const createFunnel = (
  ctx: Context,
  by: ProjectActor,
  { slug, name, templateId, ...draft }: FunnelInput,
): Promise<FunnelView> =>
  editProject(ctx, by, async (edit) => {
    refuseReserved(slug)
    await refuseTaken(edit, slug, null)
    const blank = { ...EMPTY, ...(draft.defaultLocale !== undefined && { locales: [] }) }
    const start = templateId === undefined ? blank : await startOf(ctx, by.projectId, templateId)
    return insert(edit, { slug, name, draft: await changedDraft(edit.tx, edit.projectId, start, draft) }, 'create')
  })

/** The content of a template. One that sells offers what the project shows by default. */
async function startOf({ state }: Context, projectId: string, templateId: string): Promise<FunnelContent> {
  const template = templateContent(templateId)
  if (!template) throw new AppError('UNKNOWN_REFERENCES', { resource: 'funnelTemplate', ids: [templateId] })
  const { catalog } = await state.projects.get(projectId)
  const offering = sells(template.pages) ? catalog.offerings.find(({ isDefault }) => isDefault) : undefined
  return { ...EMPTY, ...template, settings: offering ? { offeringId: offering.id } : {} }
}

async function insert(
  edit: Edit,
  members: Pick<FunnelRow, 'slug' | 'name' | 'draft'>,
  verb: string,
): Promise<FunnelView> {
  const { tx, projectId, now } = edit
  const stamps = { createdAt: now, updatedAt: now }
  const row: FunnelRow = {
    id: tx.ids.next('fnl'),
    projectId,
    status: 'DRAFT',
    currentVersionNo: null,
    ...members,
    ...stamps,
  }
  await insertFunnels(tx, [row])
  edit.entries.push(entry(verb, null, row))
  return viewAfter(edit, row)
}

/** Changes the given members of the draft. What is published stays. Refusals as for `createFunnel`. */
export const updateFunnelDraft = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  { slug, name, ...draft }: Partial<FunnelInput>,
): Promise<FunnelView> =>
  editProject(ctx, by, async (edit) => {
    const before = await requireFunnel(edit, id, by.expected)
    refuseArchived(before)
    if (slug !== undefined && slug !== before.slug) {
      refuseReserved(slug)
      await refuseTaken(edit, slug, id)
    }
    const changed = await changedDraft(edit.tx, edit.projectId, before.draft, draft)
    return save(edit, before, { slug: slug ?? before.slug, name: name ?? before.name, draft: changed }, 'update')
  })

/** 409 `CONFLICT` while a placement or an experiment uses it. */
export const deleteFunnel = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireFunnel(edit, id, by.expected)
    await refuseUsed(edit, FUNNELS, row.slug)
    await deleteFunnels(edit.tx, [id])
    edit.entries.push(entry('delete', row, null))
  })

/** A draft with the same content, under the first free slug of the form `<slug>-copy`, `<slug>-copy-2`. */
export const duplicateFunnel = (ctx: Context, by: ProjectActor, id: string): Promise<FunnelView> =>
  editProject(ctx, by, async (edit) => {
    const { slug, name, draft } = await requireFunnel(edit, id)
    const copy = freeSlug(slug, new Set((await listSlugs(edit.tx, edit.projectId)).values()))
    await refuseTaken(edit, copy, null)
    return insert(edit, { slug: copy, name: `${name.slice(0, 200).toWellFormed()} (copy)`, draft }, 'duplicate')
  })

function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  const base = slug.slice(0, 50)
  for (let number = 1; ; number++) {
    const copy = number === 1 ? `${base}-copy` : `${base}-copy-${number}`
    if (!taken.has(copy)) return copy
  }
}

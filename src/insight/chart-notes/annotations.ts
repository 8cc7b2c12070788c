import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { parseIso, toIso } from '../../base/lib/time'
import type { AuditEntry } from '../../projects/audit/audit'
import { listRevisionsWith, requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { conflict, editDashboard, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import {
  type AnnotationRow,
  countAnnotations,
  deleteAnnotationRow,
  findAnnotation,
  insertAnnotation,
  pageAnnotations,
} from './queries'
import { annotationFaults, MOST_ANNOTATIONS } from './rules'

export interface AnnotationInput {
  /** An ISO 8601 time. */
  at: string
  text: string
}

export type Annotation = ReturnType<typeof toAnnotation>

/** Annotations with their rows, the latest first; one more than `limit` shows that there are more. */
export async function listAnnotations(
  ctx: Context,
  projectId: string,
  before: readonly [number, string] | null,
  limit: number,
): Promise<{ row: AnnotationRow; annotation: Annotation }[]> {
  const revisions = await listRevisionsWith(ctx, projectId, 'ann')
  const rows = await pageAnnotations(ctx, projectId, before, limit)
  return rows.map((row) => ({ row, annotation: toAnnotation(row, revisions.get(row.id) ?? 1) }))
}

/** 400 `VALIDATION_ERROR`; 409 `CONFLICT` for the 1001st. */
export const createAnnotation = (ctx: Context, by: ProjectActor, input: AnnotationInput): Promise<Annotation> =>
  editDashboard(ctx, by, async (edit) => {
    const { tx, projectId, now } = edit
    const at = parseIso(input.at)
    refuseFaults(annotationFaults({ at, text: input.text }))
    if ((await countAnnotations(tx, projectId)) >= MOST_ANNOTATIONS)
      throw conflict(`A project has at most ${MOST_ANNOTATIONS} annotations; delete some first`)
    const row = { id: tx.ids.next('ann'), projectId, at: at ?? 0, text: input.text, createdAt: now, updatedAt: now }
    await insertAnnotation(tx, row)
    edit.entries.push(entry('create', null, row))
    return toAnnotation(row, await revisionAfter(edit, row.id))
  })

/** 404 when there is no such annotation, so also when it is repeated. */
export const deleteAnnotation = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const row = await findAnnotation(tx, projectId, id)
    if (!row) throw notFound('annotation', id)
    await requireRevision(tx, projectId, id, by.expected ?? null)
    await deleteAnnotationRow(tx, id)
    entries.push(entry('delete', row, null))
  })

const toAnnotation = ({ id, at, text, createdAt, updatedAt }: AnnotationRow, revision: number) => ({
  ...{ id, at: toIso(at), text },
  ...{ revision, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) },
})

const entry = (verb: string, before: AnnotationRow | null, after: AnnotationRow | null): AuditEntry => ({
  action: `annotation.${verb}`,
  target: { type: 'annotation', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

const imageOf = ({ at, text }: AnnotationRow) => ({ at: toIso(at), text })

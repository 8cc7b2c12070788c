import type { Context } from '../../../base/context'
import { AppError, notFound } from '../../../base/errors'
import { requireRevision, revisionAfter } from '../../audit/revisions'
import { conflict, type Edit, editProject, type ProjectActor } from '../../project/edit'
import { linkWaitingPurchases } from '../../project-file/waiting-purchases'
import { loadCatalog, type StoredCatalog } from '../queries'

/** A change of the catalogue whose transaction is open. */
export interface CatalogEdit extends Edit {
  /** The catalogue before the change. */
  rows: StoredCatalog
  /** The revision that the changed object must have; null = any. */
  expected: number | null
}

/** As `editProject`, with the rows of the catalogue. */
export const editCatalog = <Result>(
  ctx: Context,
  by: ProjectActor,
  work: (edit: CatalogEdit) => Promise<Result>,
): Promise<Result> =>
  editProject(ctx, by, async (edit) =>
    work({ ...edit, rows: await loadCatalog(edit.tx, edit.projectId), expected: by.expected ?? null }),
  )

/** What an edit of products answers besides them. */
export interface WithWaiting {
  /** Purchases that were recorded before a product had their store id, and get it now. */
  waitingPurchases: number
}

/** As `editCatalog`, for an edit that can give products store ids. It brings in the purchases that waited for them. */
export const editStoreIds = <Result extends object>(
  ctx: Context,
  by: ProjectActor,
  work: (edit: CatalogEdit) => Promise<Result>,
): Promise<Result & WithWaiting> =>
  editCatalog(ctx, by, async (edit) => {
    const result = await work(edit)
    return { ...result, waitingPurchases: await linkWaitingPurchases(edit, by) }
  })

/** The object that is changed: 404 when the project has none of that id, 409 `CONFLICT` for another revision. */
export async function requireObject<Row extends { id: string }>(
  { tx, projectId, expected }: CatalogEdit,
  what: string,
  rows: readonly Row[],
  id: string,
): Promise<Row> {
  const row = rows.find((each) => each.id === id)
  if (!row) throw notFound(what, id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

type Kind = 'access' | 'product' | 'offering' | 'virtualCurrency'

/** 409 `IDENTIFIER_TAKEN` when another object of the list has the name. */
export function refuseTaken(
  resource: Kind,
  others: readonly { id: string; name: string }[],
  { id, name }: { id: string; name: string },
): void {
  const isTaken = others.some((other) => other.name === name && other.id !== id)
  if (isTaken) throw new AppError('IDENTIFIER_TAKEN', { resource, identifier: name })
}

/** 409 `CONFLICT` when there are as many as there can be. */
export function refuseOverfull(what: string, count: number, most: number): void {
  if (count > most) throw conflict(`${count} ${what}, but at most ${most}; delete some first`)
}

/** 400 `UNKNOWN_REFERENCES` when some of the ids are not in the project. */
export function refuseUnknown(resource: Kind, known: readonly { id: string }[], ids: readonly string[]): void {
  const there = new Set(known.map(({ id }) => id))
  const unknown = [...new Set(ids.filter((id) => !there.has(id)))]
  if (unknown.length > 0) throw new AppError('UNKNOWN_REFERENCES', { resource, ids: unknown })
}

/** The view of an object at the end of an edit. */
export const revised = async <View extends { id: string }>(edit: Edit, view: View) => ({
  ...view,
  revision: await revisionAfter(edit, view.id),
})

/** The columns that the writer of the rows sets itself are left out. */
export function withoutStamps<Row extends { projectId: string; createdAt: number; updatedAt: number }>(
  row: Row,
): Omit<Row, 'projectId' | 'createdAt' | 'updatedAt'> {
  const { projectId, createdAt, updatedAt, ...rest } = row
  return rest
}

export const stamped = <Row extends object>({ projectId, now }: Edit, row: Row, createdAt = now) => ({
  ...row,
  projectId,
  createdAt,
  updatedAt: now,
})

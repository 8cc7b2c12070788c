import type { Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import { isSame, type ProjectActor } from '../../projects/project/edit'
import type { WrittenProducts } from '../../projects/project-file/waiting-purchases'
import { countAll, listLinkable, MAX_PRODUCTS } from './awaited'
import { FIRST_LOOK_MS, relinkJob, SECOND_LOOK_MS } from './jobs'

/**
 * Wakes the job that links what waits for products whose store ids were changed, and counts the purchases that wait.
 * Where nothing waits yet, the job still looks a little later: something may be recorded by the catalogue of before.
 */
export async function relinkWritten(tx: Tx, { by, entries }: WrittenProducts): Promise<number> {
  const ids = entries.filter(({ before, after }) => isNamedAnew(before, after)).map(({ target }) => target.id)
  if (ids.length === 0) return 0
  const { projectId } = by
  const catalog = await loadCatalogSnapshot(tx, projectId)
  const awaited = await listLinkable(tx, projectId, catalog, ids)
  const payload = { projectId, productIds: ids.length > MAX_PRODUCTS ? null : ids, cause: causeKind(by) }
  const isWaiting = awaited.length > 0
  const runAt = tx.clock.now() + (isWaiting ? FIRST_LOOK_MS : SECOND_LOOK_MS)
  await enqueue(tx, relinkJob, { ...payload, looksAgain: isWaiting }, { runAt })
  return countAll(tx, projectId, awaited)
}

/** The members of the image of a product by which purchases find it. */
const NAMES = ['identifier', 'storeIds', 'androidBasePlanId'] as const

function isNamedAnew(before: unknown, after: unknown): boolean {
  return before === null || !isSame(namesIn(before), namesIn(after))
}

/** The images are those of the audit log: plain objects. */
const namesIn = (image: unknown): object =>
  NAMES.map((name) => (image as Readonly<Record<string, unknown>> | null)?.[name] ?? null)

export function causeKind({ actor, hasToken = false }: ProjectActor): 'CLI' | 'API' | 'DASHBOARD' {
  if (actor.kind === 'CLI') return 'CLI'
  return hasToken ? 'API' : 'DASHBOARD'
}

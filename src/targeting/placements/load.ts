import type { Handle } from '../../base/db/handle'
import type { Log } from '../../base/lib/log'
import type { Fault } from '../../core/text/fault'
import { compilePublished } from '../../funnels/publication/published'
import { readPublished } from '../../funnels/publication/service'
import type { CatalogSnapshot } from '../../projects/catalog/snapshot'
import type { RemoteSnapshot } from '../remote-config/snapshot'
import { readPlacements } from './queries'
import { compilePlacements, offeringsOf, type PlacementSnapshot, writeLarge } from './snapshot'

/** Loads and compiles a project's placements; what is broken in them is logged, once per load. */
export async function loadPlacementSnapshot(
  handle: Handle,
  log: Log,
  projectId: string,
  loading: Promise<[CatalogSnapshot, RemoteSnapshot]>,
): Promise<PlacementSnapshot> {
  const { snapshot, faults } = await readPlacementSnapshot(handle, projectId, loading)
  for (const { kind, id, path, message } of faults)
    log.warn('a stored placement or funnel is broken and shown to nobody', {
      projectId,
      kind,
      id,
      path,
      fault: message,
    })
  return snapshot
}

/** What is broken in a stored row. The broken row is used for no subscriber; other rows are not affected. */
export interface PlacementFault extends Fault {
  kind: 'placement' | 'funnel'
  id: string
}

export async function readPlacementSnapshot(
  handle: Handle,
  projectId: string,
  loading: Promise<[CatalogSnapshot, RemoteSnapshot]>,
): Promise<{ snapshot: PlacementSnapshot; faults: PlacementFault[] }> {
  const [rows, published, [catalog, remote]] = await Promise.all([
    readPlacements(handle, projectId),
    readPublished(handle, projectId),
    loading,
  ])
  const { placements, faults } = compilePlacements(rows.rows, remote)
  const { funnels, faults: broken } = compilePublished(published.rows, catalog)
  const offerings = offeringsOf(placements.values(), catalog)
  const written = writeLarge(funnels.values(), offerings.values())
  const of = (
    kind: PlacementFault['kind'],
    found: readonly (Fault & { id: string })[],
    unreadable: readonly string[],
  ) => [
    ...found.map((fault) => ({ ...fault, kind })),
    ...unreadable.map((id) => ({ kind, id, path: kind, message: 'is no JSON' })),
  ]
  return {
    snapshot: { placements, funnels, offerings, written },
    faults: [...of('placement', faults, rows.unreadable), ...of('funnel', broken, published.unreadable)],
  }
}

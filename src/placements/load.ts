import type { CatalogSnapshot } from '../catalog/snapshot'
import type { Handle } from '../db/handle'
import { compilePublished } from '../funnels/published'
import { readPublished } from '../funnels/service'
import type { Log } from '../lib/log'
import type { Fault } from '../lib/matches'
import type { RemoteSnapshot } from '../remote-config/snapshot'
import { readPlacements } from './queries'
import { compilePlacements, type PlacementSnapshot, writeLarge } from './snapshot'

/** A project's placements, ready to be asked; what is broken in them is told in the log, once per load. */
export async function loadPlacementSnapshot(
  handle: Handle,
  log: Log,
  projectId: string,
  loading: Promise<[CatalogSnapshot, RemoteSnapshot]>,
): Promise<PlacementSnapshot> {
  const [rows, published, [catalog, remote]] = await Promise.all([
    readPlacements(handle, projectId),
    readPublished(handle, projectId),
    loading,
  ])
  const { placements, faults } = compilePlacements(rows.rows, remote)
  const { funnels, faults: broken } = compilePublished(published.rows, catalog)
  const tell = (kind: string) => (fault: Fault & { id: string }) => {
    const { id, path, message } = fault
    log.warn('a stored placement or funnel is broken and shown to nobody', {
      projectId,
      kind,
      id,
      path,
      fault: message,
    })
  }
  const unreadable = (id: string) => ({ id, path: '', message: 'is no JSON' })
  for (const fault of [...faults, ...rows.unreadable.map(unreadable)]) tell('placement')(fault)
  for (const fault of [...broken, ...published.unreadable.map(unreadable)]) tell('funnel')(fault)
  return { placements, funnels, written: writeLarge(funnels.values()) }
}

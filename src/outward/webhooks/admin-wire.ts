import { toIso } from '../../base/lib/time'
import type { EndpointRow } from './queries'

/** An endpoint of wire 7.9, without its secrets. `successRate` is null when nothing was sent in the last 24 hours. */
export const toEndpointView = (row: EndpointRow, successRate: number | null, revision: number) => ({
  id: row.id,
  name: row.name,
  url: row.url,
  eventTypes: row.eventTypes,
  environments: row.environments,
  ordered: row.isOrdered,
  format: row.format,
  isEnabled: row.isEnabled,
  disabledReason: row.disabledReason,
  secretLast4: row.secretLast4,
  successRate24h: successRate,
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type EndpointView = ReturnType<typeof toEndpointView>

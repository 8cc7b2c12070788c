import { toIso } from '../../base/lib/time'
import type { EndpointRow } from './queries'

/** Until when the secret before the last rotation signs too; null when it does not any more. */
const previousUntil = ({ previousUntil }: EndpointRow, now: number): string | null =>
  previousUntil !== null && now < previousUntil ? toIso(previousUntil) : null

/** An endpoint of wire 7.9, without its secrets. `successRate` is null when nothing was sent in the last 24 hours. */
export const toEndpointView = (row: EndpointRow, successRate: number | null, revision: number, now: number) => ({
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
  previousValidUntil: previousUntil(row, now),
  successRate24h: successRate,
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type EndpointView = ReturnType<typeof toEndpointView>

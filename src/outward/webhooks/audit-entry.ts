import type { Context } from '../../base/context'
import { toIsoOrNull } from '../../base/lib/time'
import type { AuditEntry } from '../../projects/audit/audit'
import { changeEntry } from '../../targeting/audiences/audit-entry'
import type { NewAuthorization } from './endpoints'
import type { EndpointRow } from './queries'
import { openAuthorization } from './secrets'

/** The word for an `Authorization` value, as in project files: the value itself is shown nowhere. */
export type SecretWord = '(new)' | '(saved)' | null

/** The audit entry of an endpoint: the members that a project file has, and which secret signs. */
export const endpointEntry = (
  verb: string,
  before: EndpointRow | null,
  after: EndpointRow | null,
  isNewAuthorization = false,
): AuditEntry =>
  changeEntry('webhookEndpoint', verb, before, after, (row) =>
    imageOf(row, row === after && isNewAuthorization && row.sealedAuthorization !== null ? '(new)' : savedWord(row)),
  )

export const savedWord = ({ sealedAuthorization }: EndpointRow): SecretWord =>
  sealedAuthorization === null ? null : '(saved)'

const imageOf = (row: EndpointRow, authorization: SecretWord) => ({
  name: row.name,
  url: row.url,
  eventTypes: row.eventTypes,
  environments: row.environments,
  ordered: row.isOrdered,
  format: row.format,
  authorization,
  isEnabled: row.isEnabled,
  disabledReason: row.disabledReason,
  secretLast4: row.secretLast4,
  previousValidUntil: toIsoOrNull(row.previousUntil),
})

/** Whether the endpoint has another `Authorization` value afterwards. One that cannot be opened counts as another. */
export function changesAuthorization(
  ctx: Pick<Context, 'vault'>,
  row: EndpointRow,
  authorization: NewAuthorization,
): boolean {
  if (authorization === 'keep') return false
  if (authorization === 'none') return row.sealedAuthorization !== null
  return openAuthorization(ctx, row) !== authorization.value
}

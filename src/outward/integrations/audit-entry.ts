import type { AuditEntry } from '../../projects/audit/audit'
import { changeEntry } from '../../targeting/audiences/audit-entry'
import type { IntegrationRow } from './queries'

/** The audit entry of a connection. It contains only whether the credentials were changed, never the credentials. */
export const integrationEntry = (
  verb: string,
  before: IntegrationRow | null,
  after: IntegrationRow | null,
): AuditEntry => {
  const isNew = after !== null && after.sealedCredentials !== before?.sealedCredentials
  return changeEntry('integration', verb, before, after, (row) => ({
    provider: row.provider,
    hint: row.hint,
    credentials: isNew && row === after ? '(new)' : '(saved)',
    enabledEvents: row.enabledEvents,
    eventMapping: row.eventMapping,
    includeSandbox: row.includeSandbox,
    isEnabled: row.isEnabled,
  }))
}

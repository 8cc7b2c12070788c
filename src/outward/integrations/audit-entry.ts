import type { AuditEntry } from '../../projects/audit/audit'
import { changeEntry } from '../../targeting/audiences/audit-entry'
import type { IntegrationRow } from './queries'

/** The audit entry of a connection. Of its credentials it says only whether they were changed, never what they are. */
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

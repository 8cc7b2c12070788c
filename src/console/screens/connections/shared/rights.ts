import { type Capability, type Role, roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

/** Why the person may not do something in this project; null when they may. */
export function useRights() {
  const t = useText('common')
  const { can, hasRole } = useProject()
  return {
    needs: (capability: Capability): string | null => (can(capability) ? null : t.roleNeeded(roleFor(capability))),
    needsRole: (role: Role): string | null => (hasRole(role) ? null : t.roleNeeded(role)),
  }
}

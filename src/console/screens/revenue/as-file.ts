import type { Schemas } from '../../api/schemas'
import type { FileDraft } from '../../lib/file-draft'

/** The settings of the refund shield as they are typed. */
export type TypedShield = Pick<Schemas['RefundShield'], 'enabled' | 'policy' | 'customerConsented' | 'delayMinutes'>

export const shieldAsFile = ({ enabled, delayMinutes, policy, customerConsented }: TypedShield): FileDraft => ({
  members: { enabled, delayMinutes, policy, customerConsented },
})

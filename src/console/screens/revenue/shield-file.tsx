import type { Schemas } from '../../api/schemas'
import { ProjectFilePart } from '../../kit/project-file'
import type { FileDraft } from '../../lib/file-draft'

interface ShieldFileProps {
  shield: Schemas['RefundShield']
  /** Null while nothing is edited. */
  draft: TypedShield | null
}

/** The refund shield in the project file. */
export const ShieldFile = ({ shield, draft }: ShieldFileProps) => (
  <ProjectFilePart
    isInside
    kind="store"
    identifier="refundShield"
    revision={shield.revision}
    changedAs={draft && shieldAsFile(draft)}
  />
)

/** The settings of the refund shield as they are typed. */
type TypedShield = Pick<Schemas['RefundShield'], 'enabled' | 'policy' | 'customerConsented' | 'delayMinutes'>

const shieldAsFile = ({ enabled, delayMinutes, policy, customerConsented }: TypedShield): FileDraft => ({
  members: { enabled, delayMinutes, policy, customerConsented },
})

import type { Schemas } from '../../api/schemas'
import { ProjectFilePart } from '../../kit/project-file'
import { shieldAsFile, type TypedShield } from './as-file'

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

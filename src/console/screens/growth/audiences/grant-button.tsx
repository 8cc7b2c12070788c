import { Gift } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../kit/button'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { GrantToAudience } from './grant'
import type { AudienceView } from './use-audience-edit'

/** Opens the grant to everyone of an audience, as it is saved. */
export function GrantButton({ audience, isChanged }: { audience: AudienceView; isChanged: boolean }) {
  const t = useText('growth')
  const common = useText('common')
  const { can } = useProject()
  const [isOpen, setOpen] = useState(false)
  const right = can('subscribers:write') ? null : common.roleNeeded(roleFor('subscribers:write'))
  const reason = right ?? (isChanged ? t.saveFirst : null)
  return (
    <>
      <Button icon={<Gift aria-hidden size={14} />} reason={reason} onClick={() => setOpen(true)}>
        {common.grantAccess}
      </Button>
      {isOpen && <GrantToAudience audience={audience} reason={reason} onClose={() => setOpen(false)} />}
    </>
  )
}

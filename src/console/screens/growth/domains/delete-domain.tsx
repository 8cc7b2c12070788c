import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { type Domain, PATH } from './model'

interface DeleteDomainProps {
  domain: Domain
  onClose: () => void
  reason: string | null
}

export function DeleteDomain({ domain, onClose, reason }: DeleteDomainProps) {
  const t = useText('domains')
  const common = useText('common')
  const { path } = useProject()
  return (
    <Removal
      title={t.deleteOf(domain.unicodeHostname)}
      done={common.deletedName(domain.hostname)}
      run={() =>
        api.delete(`${PATH}/{id}`, {
          params: { path: { ...path, id: domain.id }, header: { 'If-Match': `"${domain.revision}"` } },
        })
      }
      refreshes={[PATH]}
      reason={reason}
      onClose={onClose}
    >
      <p>{t.deleteHint}</p>
    </Removal>
  )
}

import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { type Endpoint, PATH } from './model'

interface DeleteEndpointProps {
  endpoint: Endpoint
  onClose: () => void
  reason: string | null
}

export function DeleteEndpoint({ endpoint, onClose, reason }: DeleteEndpointProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path, base } = useProject()
  return (
    <Removal
      title={t.deleteOf(endpoint.name)}
      reason={reason}
      done={common.deletedName(endpoint.name)}
      run={() =>
        api.delete(`${PATH}/{id}`, {
          params: { path: { ...path, id: endpoint.id }, header: { 'If-Match': `"${endpoint.revision}"` } },
        })
      }
      refreshes={[PATH]}
      next={`${base}/connections/webhooks`}
      onClose={onClose}
    >
      <p>{t.deleteEndpointHint}</p>
    </Removal>
  )
}

import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Confirm } from '../../../kit/dialog'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
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
  const [, navigate] = useLocation()
  const remove = useAction({
    run: () =>
      api.delete(`${PATH}/{id}`, {
        params: { path: { ...path, id: endpoint.id }, header: { 'If-Match': `"${endpoint.revision}"` } },
      }),
    refreshes: [PATH],
    onDone: () => {
      toast(common.deleted)
      navigate(`${base}/connections/webhooks`)
    },
  })
  return (
    <Confirm
      title={t.deleteOf(endpoint.name)}
      action={t.deleteOf(endpoint.name)}
      onConfirm={() => remove.submit(undefined)}
      onClose={onClose}
      busy={remove.busy}
      error={remove.error}
      reason={reason}
    >
      <p>{t.deleteEndpointHint}</p>
    </Confirm>
  )
}

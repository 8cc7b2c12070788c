import { ChevronDown } from 'lucide-react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Menu } from '../../../kit/menu'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { DeleteEndpoint } from './delete-endpoint'
import { EditEndpoint } from './edit-endpoint'
import { type Endpoint, PATH } from './model'
import { Replay } from './replay'
import { RotateSecret } from './rotate-secret'

const DELIVERIES = '/dashboard/projects/{projectId}/webhook-deliveries'

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const failed = useFailureToast()
  const t = useText('connections')
  const common = useText('common')
  const { path, base } = useProject()
  const [, navigate] = useLocation()
  const [doing, setDoing] = useParam('do')
  const reason = useRights().needs('webhooks:write')
  const at = { path: { ...path, id: endpoint.id } }
  const test = useAction({
    run: () => api.post(`${PATH}/{id}/test`, { params: at, body: {} }),
    refreshes: [DELIVERIES],
    onDone: ({ id }) => navigate(`${base}/connections/deliveries/${id}`),
    onFailure: failed,
  })
  const toggle = useToggle(endpoint)
  const open = (name: string) => () => setDoing(name, { push: true })
  const close = () => setDoing(null)
  return (
    <>
      <Button onClick={() => test.submit(undefined)} busy={test.busy} reason={reason}>
        {t.sendTest}
      </Button>
      <Button data-edit onClick={open('edit')} reason={reason}>
        {common.edit}
      </Button>
      <Menu
        className="inline-flex h-7.5 items-center gap-1.5 rounded-control border border-line-2 bg-surface px-3 text-sm font-medium hover:bg-hover max-md:h-9"
        label={
          <>
            {common.more} <ChevronDown aria-hidden size={14} />
          </>
        }
        items={[
          { label: endpoint.isEnabled ? t.disable : t.enable, onSelect: () => toggle(!endpoint.isEnabled), reason },
          { label: t.replayRange, onSelect: open('replay'), reason },
          { label: t.rotateSecret, onSelect: open('rotate'), reason },
          'line',
          { label: common.delete, onSelect: open('delete'), isDangerous: true, reason },
        ]}
      />
      {doing === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} reason={reason} />}
      {doing === 'replay' && <Replay endpoint={endpoint} onClose={close} reason={reason} />}
      {doing === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} reason={reason} />}
      {doing === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} reason={reason} />}
    </>
  )
}

/** Switches the endpoint on or off, with a way back. */
function useToggle({ id }: Endpoint): (isEnabled: boolean) => void {
  const failed = useFailureToast()
  const t = useText('connections')
  const { path } = useProject()
  const change = useAction({
    run: (isEnabled: boolean) => api.patch(`${PATH}/{id}`, { params: { path: { ...path, id } }, body: { isEnabled } }),
    refreshes: [PATH],
    onDone: (_, isEnabled) =>
      toast(isEnabled ? t.enabledNow : t.disabledNow, { onUndo: () => change.submit(!isEnabled) }),
    onFailure: failed,
  })
  return change.submit
}

import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import type { Delivery } from './model'

const PATH = '/dashboard/projects/{projectId}/webhook-deliveries'
const VERBS = ['retry', 'dismiss', 'redeliver'] as const
type Verb = (typeof VERBS)[number]

/** Retry and dismiss are for dead ones; every one but a test can be delivered once more. */
export function DeliveryActions({ delivery }: { delivery: Delivery }) {
  const failed = useFailureToast()
  const t = useText('connections')
  const { path, base } = useProject()
  const [, navigate] = useLocation()
  const right = useRights().needs('webhooks:write')
  const act = useAction({
    run: (verb: Verb) => api.post(`${PATH}/{id}/${verb}`, { params: { path: { ...path, id: delivery.id } }, body: {} }),
    refreshes: [PATH],
    onDone: ({ id }, verb) => {
      toast(t.verbsDone[verb])
      if (id !== delivery.id) navigate(`${base}/connections/deliveries/${id}`)
    },
    onFailure: failed,
  })
  const notDead = delivery.status === 'DEAD' ? null : t.onlyDead
  const reasons = { retry: notDead, dismiss: notDead, redeliver: delivery.isTest ? t.notTests : null }
  return (
    <>
      {VERBS.map((verb) => (
        <Button
          key={verb}
          variant={verb === 'redeliver' ? 'primary' : 'plain'}
          onClick={() => act.submit(verb)}
          busy={act.busy}
          reason={right ?? reasons[verb]}
        >
          {t.verbs[verb]}
        </Button>
      ))}
    </>
  )
}

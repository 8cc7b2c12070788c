import { Link, useParams as useRouteParams } from 'wouter'
import { useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card, Columns, Facts } from '../../../kit/card'
import { Id } from '../../../kit/copy'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { JsonText } from '../shared/json'
import { useEvery } from '../shared/live'
import { Attempts } from './attempts'
import { DeliveryActions } from './delivery-actions'
import { DeliveryState } from './delivery-table'
import { isOpen } from './model'

const SOON_MS = 1500

export default function Delivery() {
  const common = useText('common')
  const { id } = useRouteParams<{ id: string }>()
  const { path, base } = useProject()
  const first = useRead('/dashboard/projects/{projectId}/webhook-deliveries/{id}', {
    params: { path: { ...path, id } },
  })
  const delivery = first.data
  useEvery(delivery && isOpen(delivery.status) ? SOON_MS : null, () => void first.refetch())
  return (
    <Page
      title={delivery?.type ?? common.deliveries}
      crumbs={[[common.deliveries, `${base}/connections/deliveries`]]}
      beside={delivery && <DeliveryState delivery={delivery} />}
      actions={delivery && <DeliveryActions delivery={delivery} />}
    >
      {first.error && !delivery && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {!delivery && !first.error && <Skeleton />}
      {delivery && <Body delivery={delivery} />}
    </Page>
  )
}

function Body({ delivery }: { delivery: Schemas['DeliveryDetail'] }) {
  const t = useText('connections')
  return (
    <Columns
      main={
        <>
          <Card title={t.attempts} flush>
            <Attempts delivery={delivery} />
          </Card>
          <Card title={t.body}>
            {delivery.body === null ? (
              <p className="text-sm text-ink-2">{t.noBody}</p>
            ) : (
              <JsonText text={delivery.body} label="application/json" />
            )}
          </Card>
        </>
      }
      side={<DeliveryFacts delivery={delivery} />}
    />
  )
}

function DeliveryFacts({ delivery }: { delivery: Schemas['DeliveryDetail'] }) {
  const t = useText('connections')
  const common = useText('common')
  const { base } = useProject()
  const { id, endpointId, eventId, subscriberId, seq, attempts, nextAttemptAt, createdAt } = delivery
  return (
    <Card title={t.facts}>
      <Facts
        items={[
          [common.id, <Id key="id" id={id} />],
          [
            t.endpoint,
            <Link key="e" href={`${base}/connections/webhooks/${endpointId}`} className="text-accent hover:underline">
              {t.openEndpoint}
            </Link>,
          ],
          [
            t.event,
            eventId === null ? null : (
              <span key="ev" className="inline-flex items-center gap-2">
                <Link href={`${base}/connections/events?event=${eventId}`} className="text-accent hover:underline">
                  {t.openEvent}
                </Link>
                <Id id={eventId} />
              </span>
            ),
          ],
          [
            t.subscriber,
            subscriberId === null ? null : (
              <Link
                key="s"
                href={`${base}/subscribers/${subscriberId}`}
                className="font-mono text-xs text-accent hover:underline"
              >
                {subscriberId}
              </Link>
            ),
          ],
          ['seq', seq === null ? null : <Count key="q" value={seq} />],
          [t.attempts, <Count key="a" value={attempts} />],
          [t.nextAttempt, nextAttemptAt === null ? null : <Time key="n" at={nextAttemptAt} />],
          [common.createdAt, <Time key="c" at={createdAt} />],
        ]}
      />
    </Card>
  )
}

import { Link } from 'wouter'
import { Facts } from '../../../kit/card'
import { Id } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { Because } from '../../../kit/mark'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Json } from '../shared/json'
import type { Event } from './model'

export function EventSheet({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useText('connections')
  const common = useText('common')
  const { base } = useProject()
  const { id, type, subscriberId, appUserId, cause, environment, occurredAt, recordedAt, seq } = event
  return (
    <Dialog title={<span className="font-mono text-md">{type}</span>} kind="sheet" onClose={onClose}>
      <Because>{[cause.kind, cause.store, cause.detail, cause.ref].filter((one) => one !== null).join(' · ')}</Because>
      <Facts
        items={[
          [common.id, <Id key="id" id={id} />],
          [t.occurredAt, <Time key="o" at={occurredAt} absolute />],
          [t.recordedAt, <Time key="r" at={recordedAt} absolute />],
          [
            t.subscriber,
            subscriberId === null ? null : (
              <Link key="s" href={`${base}/subscribers/${subscriberId}`} className="text-accent hover:underline">
                <bdi>{appUserId ?? subscriberId}</bdi>
              </Link>
            ),
          ],
          ['seq', seq],
          [t.environments, environment === 'SANDBOX' ? common.sandbox : common.production],
        ]}
      />
      {subscriberId !== null && (
        <Link
          href={`${base}/connections/deliveries?subscriber=${subscriberId}&type=${type}`}
          className="text-sm text-accent hover:underline"
        >
          {t.deliveriesOfEvent}
        </Link>
      )}
      <Json value={event} label="JSON" />
    </Dialog>
  )
}

import { Link } from 'wouter'
import { useRead } from '../../../api/queries'
import { Facts } from '../../../kit/card'
import { Id } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Json } from '../shared/json'
import type { Event } from './model'

interface EventSheetProps {
  id: string
  /** The event, where the list has it. Older ones are read. */
  listed: Event | undefined
  onClose: () => void
}

export function EventSheet({ id, listed, onClose }: EventSheetProps) {
  const common = useText('common')
  const { path } = useProject()
  const read = useRead(
    '/dashboard/projects/{projectId}/events/{id}',
    { params: { path: { ...path, id } } },
    { enabled: listed === undefined, keep: false },
  )
  const event = listed ?? read.data
  return (
    <Dialog
      title={event ? <span className="font-mono text-md">{event.type}</span> : common.events}
      kind="sheet"
      onClose={onClose}
    >
      {read.error && !event && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!event && !read.error && <Skeleton />}
      {event && <Body event={event} />}
    </Dialog>
  )
}

function Body({ event }: { event: Event }) {
  const t = useText('connections')
  const common = useText('common')
  const { base, hasRole } = useProject()
  const { id, type, subscriberId, appUserId, cause, environment, occurredAt, recordedAt, seq } = event
  return (
    <>
      <Because>{[cause.kind, cause.store, cause.detail, cause.ref].filter((one) => one !== null).join(' · ')}</Because>
      {cause.ref?.startsWith('sev_') && hasRole('DEVELOPER') && (
        <Link
          href={`${base}/connections/store-events?event=${cause.ref}`}
          className="text-sm text-accent hover:underline"
        >
          {t.notificationOfEvent}
        </Link>
      )}
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
    </>
  )
}

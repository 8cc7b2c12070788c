import { Chip } from '../../../kit/state'
import { Money, Time } from '../../../kit/values'
import { useParams } from '../../../lib/url-state'
import { PersonLink } from '../../../parts/person-link'
import { useText } from '../../../text/catalogue'
import { type Event, moneyOf, subjectOf } from './model'

/** One line; two on phones. The type opens the whole event. */
export function EventRow({ event }: { event: Event }) {
  const common = useText('common')
  const [, set] = useParams()
  const { id, type, subscriberId, appUserId, person, cause, environment, occurredAt } = event
  const money = moneyOf(event)
  return (
    <li
      data-row
      className="grid animate-wash grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-1.5 hover:bg-hover md:grid-cols-[110px_minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_90px]"
    >
      <span className="text-xs text-ink-2 max-md:order-2 max-md:text-right">
        <Time at={occurredAt} />
      </span>
      <button
        type="button"
        onClick={() => set({ event: id }, { push: true })}
        className="min-h-6 min-w-0 truncate text-left font-mono text-xs text-accent hover:underline max-md:order-1"
      >
        {type}
      </button>
      <span className="flex min-w-0 items-center gap-2 max-md:order-3">
        {environment === 'SANDBOX' && (
          <span className="md:hidden">
            <Chip tone="warn">{common.sandbox}</Chip>
          </span>
        )}
        {subscriberId === null ? (
          <span className="text-ink-2">—</span>
        ) : (
          <PersonLink
            id={subscriberId}
            person={person}
            {...(!person && appUserId !== null && { name: appUserId })}
            isPlain
          />
        )}
      </span>
      <span className="min-w-0 truncate font-mono text-xs text-ink-2 max-md:hidden" title={subjectOf(event)}>
        {subjectOf(event)}
      </span>
      <span className="flex min-w-0 items-center gap-2 max-md:hidden">
        <span className="truncate font-mono text-xs text-ink-2">{cause.detail ?? cause.kind}</span>
        {environment === 'SANDBOX' && <Chip tone="warn">{common.sandbox}</Chip>}
      </span>
      <span className="text-right max-md:order-4">
        {money === null ? '—' : <Money micros={money.amountMicros} currency={money.currency} />}
      </span>
    </li>
  )
}

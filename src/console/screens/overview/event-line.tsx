import type { AnyEvent } from '../../api/schemas'
import { Dot, type Tone } from '../../kit/state'
import { Money } from '../../kit/values'
import { formatClock, formatTime } from '../../lib/format'
import { useReading } from '../../lib/session'
import { PersonLink } from '../../parts/person-link'
import { StoreName } from '../../parts/store'
import { useText } from '../../text/catalogue'

type Event = AnyEvent

const TONES: Record<string, Tone> = {
  'purchase.initial': 'good',
  'purchase.renewed': 'good',
  'purchase.trial_converted': 'good',
  'purchase.recovered': 'good',
  'purchase.resumed': 'good',
  'purchase.uncancelled': 'good',
  'purchase.non_renewing': 'good',
  'purchase.refund_reversed': 'good',
  'purchase.charged': 'good',
  'purchase.corrected': 'info',
  'purchase.trial_started': 'info',
  'purchase.product_changed': 'info',
  'entitlement.granted': 'info',
  'subscriber.identified': 'info',
  'subscriber.transferred': 'info',
  'purchase.billing_issue': 'warn',
  'purchase.grace_period': 'warn',
  'purchase.refunded': 'bad',
  'purchase.revoked': 'bad',
}

/** One line: when, what, who, of which product, why, how much. On phones the person is on a second line. */
export function EventLine({ event }: { event: Event }) {
  const t = useText('overview')
  const reading = useReading()
  const { type, occurredAt, cause } = event
  const product = productOf(event)
  const price = priceOf(event)
  return (
    <li
      data-event={event.id}
      className="grid min-h-8 animate-wash grid-cols-[4.25rem_minmax(0,1fr)_4.5rem] items-center gap-x-3 gap-y-0.5 px-4 py-1 md:grid-cols-[4.25rem_minmax(0,1.1fr)_minmax(0,1.1fr)_minmax(0,0.9fr)_minmax(0,1.2fr)_4.5rem]"
    >
      <time
        dateTime={occurredAt}
        title={formatTime(reading, occurredAt, true)}
        className="font-mono text-xs text-ink-2 tabular-nums"
      >
        {formatClock(reading, occurredAt)}
      </time>
      <span className="flex min-w-0 items-center gap-2">
        <Dot tone={TONES[type] ?? 'mute'} />
        <span className="truncate" title={t.events[type] ? `${t.events[type]} (${type})` : type}>
          {t.events[type] ?? type}
        </span>
      </span>
      <span className="grid min-w-0 max-md:col-span-2 max-md:col-start-2 max-md:row-start-2">
        <Who event={event} />
      </span>
      <span className="truncate font-mono text-xs text-ink-2 max-md:hidden" title={product}>
        {product}
      </span>
      <span className="flex min-w-0 items-center gap-2 text-xs text-ink-2 max-md:hidden">
        {cause.store !== null && (
          <span className="shrink-0">
            <StoreName store={cause.store} isShort />
          </span>
        )}
        <span className="truncate font-mono" title={cause.detail ?? cause.kind}>
          {cause.detail ?? cause.kind}
        </span>
      </span>
      <span className="text-right max-md:col-start-3 max-md:row-start-1">
        {price ? <Money micros={price.amountMicros} currency={price.currency} /> : '—'}
      </span>
    </li>
  )
}

function Who({ event: { subscriberId, appUserId, person } }: { event: Event }) {
  const t = useText('overview')
  if (subscriberId === null) return <span className="truncate text-ink-2">{t.server}</span>
  return (
    <PersonLink id={subscriberId} person={person} {...(!person && appUserId !== null && { name: appUserId })} isPlain />
  )
}

interface Price {
  amountMicros: number
  currency: string
}

/** The charge or refund; null where no money moved, as at the start of a trial. */
function priceOf({ data: { transaction } }: Event): Price | null {
  const price =
    transaction !== null && typeof transaction === 'object' && 'price' in transaction
      ? (transaction.price as Price | null)
      : null
  return price && price.amountMicros !== 0 ? price : null
}

interface EventPurchase {
  productIdentifier?: string
}

/** What a purchase has that is of no product of the catalogue, such as a grant. */
const NO_PRODUCT = 'unknown'

function productOf(event: Event): string | undefined {
  const product = purchaseOf(event)?.productIdentifier
  return product === NO_PRODUCT ? undefined : product
}

/** The purchase of the event, as it was afterwards. */
function purchaseOf({ after, before }: Event): EventPurchase | null {
  const of = (image: unknown) =>
    image !== null && typeof image === 'object' && 'purchase' in image ? (image.purchase as EventPurchase | null) : null
  return of(after) ?? of(before)
}

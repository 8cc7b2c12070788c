import { Link } from 'wouter'
import { useList } from '../../../api/queries'
import type { AnyEvent } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Code, Id } from '../../../kit/copy'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { Dot } from '../../../kit/state'
import { Money, Time } from '../../../kit/values'
import { cx } from '../../../lib/class-names'
import { useProject } from '../../../lib/session'
import { useHref } from '../../../parts/use-href'
import { usePerson, useProductNames } from '../../../parts/use-person'
import { useWords, wordOf } from '../../../parts/words'
import { useText } from '../../../text/catalogue'
import type { AsOf } from './as-of'
import { amountOf, titleOf, toneOfEvent, wordsOf } from './event-words'

type Event = AnyEvent

const PAGE = 15

/** What happened to the person, newest first. What came after the moment of the line is toned down. */
export function Events({ asOf }: { asOf: AsOf }) {
  const t = useText('subscribers')
  const c = useText('common')
  const { path } = useProject()
  const { subscriber } = usePerson()
  const href = useHref()
  const list = useList('/dashboard/projects/{projectId}/subscribers/{id}/timeline', {
    params: { path: { ...path, id: subscriber.id }, query: { limit: PAGE } },
  })
  const productOf = useProductNames()
  const count = countOf(list.items)
  return (
    <Card
      flush
      title={t.eventsTitle}
      aside={
        <>
          {count !== null && <span className="text-xs">{t.withoutGap(count)}</span>}
          <Link
            href={href('/connections/events', { subscriberId: subscriber.id })}
            className="text-accent hover:underline"
          >
            {t.openInEvents}
          </Link>
        </>
      }
    >
      {list.error && list.items.length === 0 && (
        <div className="px-4">
          <Failure error={list.error} onRetry={list.retry} />
        </div>
      )}
      {list.isLoading && <Skeleton lines={5} className="px-4" />}
      {!list.isLoading && !list.error && list.items.length === 0 && <Empty title={t.noEvents}>{t.noEventsWhy}</Empty>}
      <ol aria-label={t.eventsTitle} className="divide-y divide-line">
        {list.items.map((event) => (
          <Row
            key={event.id}
            event={event}
            productOf={productOf}
            isLater={asOf.at !== null && new Date(event.occurredAt).getTime() > asOf.at}
          />
        ))}
      </ol>
      {list.hasMore && (
        <div className="flex items-center justify-between border-t border-line px-4 py-2 text-xs text-ink-2">
          <span>{count === null ? c.shown(String(list.items.length)) : t.shownOf(list.items.length, count)}</span>
          <Button variant="quiet" onClick={list.showMore} busy={list.isFetchingMore}>
            {t.showEarlier}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** How many events there were, by the number of the newest; null when the numbers of those on the screen have a gap. */
export function countOf(events: readonly Pick<Event, 'seq'>[]): number | null {
  const newest = events[0]?.seq ?? null
  const isWhole = newest !== null && events.every(({ seq }, index) => seq === newest - index)
  return isWhole ? newest : null
}

interface RowProps {
  event: Event
  isLater: boolean
  /** The name of a product, by its identifier. */
  productOf: (identifier: string) => string
}

function Row({ event, isLater, productOf }: RowProps) {
  const words = useWords()
  const text = wordsOf(event, words, productOf)
  const amount = amountOf(event)
  return (
    <li className={cx(isLater && 'bg-sunken text-ink-2')}>
      <details>
        <summary className="grid grid-cols-[2.75rem_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5 -outline-offset-2 hover:bg-hover md:grid-cols-[2.75rem_9.5rem_minmax(0,1fr)_auto_8.5rem]">
          <span className="font-mono text-xs text-ink-2">#{event.seq ?? '–'}</span>
          <span className="inline-flex min-w-0 items-center gap-2">
            <Dot tone={toneOfEvent(event)} />
            <span className="truncate font-medium">{titleOf(event, words)}</span>
          </span>
          <span
            className="min-w-0 text-ink-2 max-md:col-span-2 max-md:col-start-2 max-md:row-start-2 md:truncate"
            title={text}
          >
            {text}
          </span>
          <span className="text-right tabular-nums max-md:col-start-3 max-md:row-start-2">
            {amount && <Money micros={amount.amountMicros} currency={amount.currency} />}
          </span>
          <span className="text-right text-xs text-ink-2 max-md:col-start-3 max-md:row-start-1">
            <Time at={event.occurredAt} absolute />
          </span>
        </summary>
        <Details event={event} />
      </details>
    </li>
  )
}

function Details({ event }: { event: Event }) {
  const { t, store } = useWords()
  const c = useText('common')
  const { cause } = event
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 pb-3 text-xs md:pl-[4.5rem]">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
        <code className="font-mono">{event.type}</code>
        <Id id={event.id} />
        {event.environment === 'SANDBOX' && <span>{c.sandbox}</span>}
      </p>
      <Because>
        {wordOf(t.causes, cause.kind)}
        {cause.store !== null && `, ${store(cause.store)}`}
        {cause.detail !== null && `: ${cause.detail}`}
      </Because>
      {cause.ref !== null && <Id id={cause.ref} />}
      <Code text={JSON.stringify(event.data, null, 2)} label="data" />
    </div>
  )
}

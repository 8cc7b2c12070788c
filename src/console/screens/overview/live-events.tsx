import { useQuery } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { AnyEvent } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Dot } from '../../kit/state'
import { useProject } from '../../lib/session'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import { newestAsked } from './asked'
import { EventLine } from './event-line'
import type { Live } from './live'

type Event = AnyEvent

const NONE: readonly Event[] = []

/** The newest events. They hold still while paused and under the pointer. */
export function LiveEvents({ live }: { live: Live }) {
  const t = useText('overview')
  const common = useText('common')
  const href = useHref()
  const [isPaused, setPaused] = useState(false)
  const [isUnder, setUnder] = useState(false)
  const answer = useQuery(newestAsked(useProject()))
  const [shown, waiting] = useHeld(answer.data ?? NONE, isPaused || isUnder)
  return (
    <Card
      flush
      title={
        <span className="inline-flex items-center gap-2">
          <Dot
            tone={isPaused ? 'mute' : live.state === 'live' ? 'good' : 'warn'}
            live={!isPaused && live.state === 'live'}
          />
          {t.liveEvents}
        </span>
      }
      aside={
        <>
          <Status live={live} isPaused={isPaused} waiting={waiting} />
          <Button
            data-pause
            variant="quiet"
            icon={isPaused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? common.resume : common.pause}
          </Button>
        </>
      }
      footer={
        <Link href={href('/connections/events')} className="text-accent hover:underline">
          {t.allEvents}
        </Link>
      }
    >
      <div
        role="group"
        aria-label={t.liveEvents}
        onPointerEnter={() => setUnder(true)}
        onPointerLeave={() => setUnder(false)}
      >
        {answer.error && !answer.data ? (
          <div className="px-4">
            <Failure error={answer.error} onRetry={() => void answer.refetch()} />
          </div>
        ) : answer.isLoading ? (
          <Skeleton className="px-4" lines={8} />
        ) : (
          <List events={shown} />
        )}
      </div>
    </Card>
  )
}

function Status({ live, isPaused, waiting }: { live: Live; isPaused: boolean; waiting: number }) {
  const t = useText('overview')
  const common = useText('common')
  const text =
    waiting > 0
      ? t.waiting(waiting)
      : isPaused
        ? common.paused
        : live.state === 'reconnecting'
          ? common.reconnecting
          : null
  return text && <span className="text-xs">{text}</span>
}

/** The events as they were when holding started, and how many came since. */
function useHeld(newest: readonly Event[], isHeld: boolean): [shown: readonly Event[], waiting: number] {
  const [held, setHeld] = useState<readonly Event[] | null>(null)
  if (isHeld && held === null) setHeld(newest)
  if (!isHeld && held !== null) setHeld(null)
  const shown = isHeld && held !== null ? held : newest
  const first = shown[0]?.id
  const waiting = first === undefined ? newest.length - shown.length : newest.findIndex(({ id }) => id === first)
  return [shown, waiting === -1 ? newest.length : waiting]
}

function List({ events }: { events: readonly Event[] }) {
  const t = useText('overview')
  if (events.length === 0) return <Empty title={t.noEvents}>{t.noEventsHint}</Empty>
  return (
    <ol aria-label={t.liveEvents} aria-live="off" className="divide-y divide-line">
      {events.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </ol>
  )
}

import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/schemas'
import type { StreamState } from '../../api/stream'
import { Button } from '../../kit/button'
import { Id } from '../../kit/copy'
import { Dot, State } from '../../kit/state'
import { now } from '../../lib/clock'
import { formatClock } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { BOUGHT } from './first-run-buy'

/** What came by the stream since the page was opened. */
export interface Heard {
  first: Schemas['OverviewFirsts']
  events: readonly { id: string; type: string; subscriberId: string | null; at: string }[]
  state: StreamState
  openedAt: number
}

interface WaitingProps {
  heard: Heard
  first: Schemas['OverviewFirsts']
  onDone?: () => void
}

/** The line that waits, and below it what has come. */
export function Waiting({ heard, first, onDone }: WaitingProps) {
  const t = useText('signIn')
  const isHere = first.purchase !== null
  const title = isHere ? t.arrived : first.call === null ? t.waitingCall : t.waitingPurchase
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)] overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <Dot tone={isHere ? 'good' : 'info'} live={!isHere} />
        <h3 aria-live="polite" className="text-md font-semibold">
          {title}
        </h3>
        {!isHere && <Elapsed since={heard.openedAt} />}
        <span className="ml-auto text-xs text-ink-2">
          {heard.state === 'reconnecting' ? t.reconnecting : t.changesByItself}
        </span>
      </header>
      <Pulse isHere={isHere} />
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-1.5 border-t border-line bg-sunken px-4 py-3 font-mono text-xs">
        <Line at={heard.openedAt}>{t.connected}</Line>
        {first.call !== null && <Line at={first.call}>{t.calledFirst}</Line>}
        {first.purchase !== null && <Line at={first.purchase}>{t.boughtFirst}</Line>}
        {heard.events.map(({ id, type, at }) => (
          <Line key={id} at={at}>
            {type}
          </Line>
        ))}
      </ol>
      {isHere && <Arrived events={heard.events} {...(onDone && { onDone })} />}
    </section>
  )
}

const Line = ({ at, children }: { at: string | number; children: ReactNode }) => {
  const reading = useReading()
  return (
    <li className="flex min-w-0 gap-3 animate-wash">
      <time dateTime={new Date(at).toISOString()} className="shrink-0 text-ink-2 tabular-nums">
        {formatClock(reading, at)}
      </time>
      <span className="min-w-0 break-words">{children}</span>
    </li>
  )
}

function Elapsed({ since }: { since: number }) {
  const [at, setAt] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((at - since) / 1000))
  return (
    <span aria-hidden className="font-mono text-xs text-ink-2 tabular-nums">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  )
}

/** A flat line with one beat: it moves while something is awaited. */
const Pulse = ({ isHere }: { isHere: boolean }) => (
  <svg viewBox="0 0 400 40" preserveAspectRatio="none" aria-hidden="true" className="h-10 w-full">
    <path
      d="M0 22H178l6-4 4 8 7-20 7 30 6-18 5 4H400"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="1.5"
      vectorEffect="non-scaling-stroke"
      className={isHere ? undefined : 'animate-live'}
    />
  </svg>
)

/** Subscriber, access and events of the first purchase. */
function Arrived({ events, onDone }: { events: Heard['events']; onDone?: () => void }) {
  const t = useText('signIn')
  const { base, path } = useProject()
  const kept = BOUGHT.use()
  const bought = kept?.projectId === path.projectId ? kept.bought : null
  const subscriberId = bought?.subscriberId ?? events.findLast((one) => one.subscriberId !== null)?.subscriberId ?? null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line px-4 py-3 text-sm">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
        {subscriberId !== null && (
          <>
            <dt className="text-ink-2">{t.newSubscriber}</dt>
            <dd className="min-w-0">
              <Id id={subscriberId} />
            </dd>
          </>
        )}
        {bought?.access.map((one) => (
          <Held key={one} access={one} />
        ))}
        {events.length > 0 && (
          <>
            <dt className="text-ink-2">{t.newEvents}</dt>
            <dd className="min-w-0 font-mono text-xs leading-5">
              {[...new Set(events.map(({ type }) => type))].join(', ')}
            </dd>
          </>
        )}
      </dl>
      <div className="flex flex-wrap gap-2">
        {subscriberId !== null && (
          <Link
            href={`${base}/subscribers/${subscriberId}?env=sandbox`}
            className="inline-flex h-9 items-center rounded-control border border-line-2 px-3 text-sm font-medium hover:bg-hover"
          >
            {t.openSubscriber}
          </Link>
        )}
        {onDone && (
          <Button variant="primary" onClick={onDone} className="h-9">
            {t.openOverview}
          </Button>
        )}
      </div>
    </div>
  )
}

const Held = ({ access }: { access: string }) => {
  const t = useText('signIn')
  return (
    <>
      <dt className="text-ink-2">{t.newAccess}</dt>
      <dd className="flex flex-wrap items-center gap-3">
        <span className="font-mono text-xs">{access}</span>
        <State tone="good">{t.newAccessActive}</State>
      </dd>
    </>
  )
}

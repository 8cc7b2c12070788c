import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useWords } from '../../../parts/words'
import type { AsOf } from './as-of'
import { BOTTOM, scaleOf } from './lifeline-drawing'
import { DAY, type Domain } from './lifeline-model'

interface AsOfLineProps {
  asOf: AsOf
  domain: Domain
  width: number
  /** The present moment. */
  present: number
}

/** The line over the drawing. It is dragged, clicked to, or moved by keys. */
export function AsOfLine({ asOf, domain, width, present }: AsOfLineProps) {
  const { t, time } = useWords()
  const place = useRef<HTMLDivElement>(null)
  const at = asOf.at ?? present
  const x = scaleOf(domain, width)
  const momentAt = ({ clientX }: PointerEvent): number => {
    const left = place.current?.getBoundingClientRect().left ?? 0
    return domain.from + ((clientX - left) / width) * (domain.to - domain.from)
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    if (event.buttons !== 1) return
    const next = momentAt(event)
    asOf.move(Math.abs(x(next) - x(present)) < 4 ? null : Math.min(domain.to, next))
  }
  const onKey = (event: KeyboardEvent) => {
    const next = nextOf(event, at, asOf.earliest, domain.to)
    if (next === undefined) return
    event.preventDefault()
    asOf.move(next)
  }
  return (
    <div
      ref={place}
      onPointerDown={drag}
      onPointerMove={drag}
      className="absolute inset-0 cursor-ew-resize touch-pan-y select-none"
    >
      {asOf.at !== null && (
        <span
          aria-hidden
          className="absolute top-5 w-px border-l border-dashed border-ink-3"
          style={{ left: x(present), bottom: BOTTOM }}
        />
      )}
      <span aria-hidden className="absolute top-5 -ml-px w-0.5 bg-accent" style={{ left: x(at), bottom: BOTTOM - 2 }} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={t.moment}
        title={t.lineHelp}
        aria-valuemin={Math.round(asOf.earliest / 1000)}
        aria-valuemax={Math.round(domain.to / 1000)}
        aria-valuenow={Math.round(at / 1000)}
        aria-valuetext={asOf.at === null ? t.now : time(at)}
        onKeyDown={onKey}
        className="absolute bottom-0 flex h-6 min-w-10 items-center justify-center rounded-chip bg-accent px-2 text-xs font-medium whitespace-nowrap text-on-accent"
        style={{ left: x(at), transform: `translateX(-${shiftOf(x(at), width)}%)` }}
      >
        {asOf.at === null ? t.now : <Label at={at} />}
      </div>
    </div>
  )
}

const Label = ({ at }: { at: number }) => {
  const { day } = useWords()
  return <>{day(at)}</>
}

/** The name stays inside of the drawing at both edges. */
const shiftOf = (x: number, width: number): number => (x < 48 ? 0 : x > width - 48 ? 100 : 50)

function nextOf(
  { key, shiftKey }: KeyboardEvent,
  at: number,
  earliest: number,
  latest: number,
): number | null | undefined {
  const step = shiftKey ? 7 * DAY : DAY
  const within = (next: number) => Math.min(latest, Math.max(earliest, next))
  if (key === 'ArrowLeft' || key === 'ArrowDown') return within(at - step)
  if (key === 'ArrowRight' || key === 'ArrowUp') return within(at + step)
  if (key === 'PageDown') return within(at - 30 * DAY)
  if (key === 'PageUp') return within(at + 30 * DAY)
  if (key === 'Home') return earliest
  if (key === 'End' || key === 'Escape') return null
  return undefined
}

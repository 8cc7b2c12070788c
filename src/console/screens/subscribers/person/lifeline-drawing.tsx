import { useId } from 'react'
import { datesOf, dateTag } from '../../../lib/intl'
import { useReading } from '../../../lib/session'
import { type Domain, type LifeRow, type Part, type Segment, ticksOf } from './lifeline-model'

export const ROW = 34
export const TOP = 28
/** Room below the rows for the name of the line. */
export const BOTTOM = 30
const BAR = 14

interface Span {
  from: number
  to: number
  isAhead: boolean
}

interface DrawingProps {
  rows: readonly LifeRow[]
  spans: readonly Span[]
  domain: Domain
  width: number
  at: number
}

type Scale = (at: number) => number

/** Pixels from the left edge, within the drawing. */
export const scaleOf =
  ({ from, to }: Domain, width: number): Scale =>
  (at) =>
    Math.min(width, Math.max(0, ((at - from) / (to - from)) * width))

/** The bars. The table below has the same in words, so readers of the screen are not given these. */
export function Drawing({ rows, spans, domain, width, at }: DrawingProps) {
  const id = useId()
  const x = scaleOf(domain, width)
  const lead = 1
  const height = TOP + (rows.length + lead) * ROW + BOTTOM
  const middle = (index: number) => TOP + (index + lead) * ROW + ROW / 2
  return (
    <svg aria-hidden="true" width={width} height={height} className="block">
      <defs>
        <Hatch id={`${id}grace`} colour="var(--warn)" />
        <Hatch id={`${id}refunded`} colour="var(--n1)" />
      </defs>
      <rect x={0} y={TOP} width={width} height={ROW} rx={4} fill="var(--track)" />
      <Grid domain={domain} width={width} bottom={height - BOTTOM} />
      {spans.map((span) => (
        <Counted key={`${span.from}`} span={span} x={x} y={TOP + ROW / 2} />
      ))}
      {rows.map((row, index) => (
        <g key={row.key}>
          <line x1={0} x2={width} y1={middle(index)} y2={middle(index)} stroke="var(--grid)" />
          {row.segments.map((segment) => (
            <Bar key={`${segment.from}${segment.part}`} segment={segment} x={x} y={middle(index)} at={at} id={id} />
          ))}
          {row.dots.map((dot, order) => (
            <circle
              key={`${dot}.${order}`}
              cx={x(dot)}
              cy={middle(index)}
              r={4.5}
              fill="var(--d5)"
              stroke="var(--surface)"
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

const Hatch = ({ id, colour }: { id: string; colour: string }) => (
  <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width={2.4} height={6} fill={colour} />
  </pattern>
)

const MIN_TICK = 56

function Grid({ domain, width, bottom }: { domain: Domain; width: number; bottom: number }) {
  const { locale, zone } = useReading()
  const x = scaleOf(domain, width)
  const ticks = ticksOf(domain, Math.max(2, Math.floor(width / MIN_TICK)))
  const day = datesOf(dateTag(locale), {
    day: 'numeric',
    month: 'short',
    timeZone: zone,
  })
  const month = datesOf(locale, { month: 'short', timeZone: 'UTC' })
  const year = datesOf(locale, { year: 'numeric', timeZone: 'UTC' })
  const label = (at: number, isMonth: boolean) => {
    if (!isMonth) return day.format(at).replace('Sept', 'Sep')
    return new Date(at).getUTCMonth() === 0 ? year.format(at) : month.format(at)
  }
  return (
    <g>
      {ticks.map(({ at, isMonth }) => (
        <g key={at}>
          <line x1={x(at)} x2={x(at)} y1={TOP - 6} y2={bottom} stroke="var(--grid)" />
          {x(at) < width - 36 && (
            <text x={x(at) + 4} y={14} fontSize={11} fill="var(--ink-2)">
              {label(at, isMonth)}
            </text>
          )}
        </g>
      ))}
    </g>
  )
}

function Counted({ span: { from, to, isAhead }, x, y }: { span: Span; x: Scale; y: number }) {
  const left = x(from)
  const width = Math.max(2, x(to) - left)
  return (
    <rect
      x={left + 0.5}
      y={y - BAR / 2 + 0.5}
      width={width}
      height={BAR - 1}
      rx={3}
      fill={isAhead ? 'none' : 'var(--good)'}
      stroke={isAhead ? 'var(--good)' : 'none'}
      strokeDasharray={isAhead ? '3 2' : undefined}
    />
  )
}

const FILLS: Record<Part, string> = {
  trial: 'var(--d3)',
  paid: 'var(--d1)',
  grace: 'var(--warn)',
  refunded: 'var(--n1)',
  granted: 'var(--d2)',
}

/** What has passed is filled; what lies ahead is an outline. */
function Bar({
  segment: { part, from, to },
  x,
  y,
  at,
  id,
}: {
  segment: Segment
  x: Scale
  y: number
  at: number
  id: string
}) {
  const colour = FILLS[part]
  const isHatched = part === 'grace' || part === 'refunded'
  const left = x(from)
  const right = x(Math.min(to, Math.max(from, at)))
  const end = x(to)
  const box = { y: y - BAR / 2 + 0.5, height: BAR - 1, rx: 3 }
  return (
    <>
      {to > at && end > right && (
        <rect
          {...box}
          x={Math.max(left, right) + 0.5}
          width={Math.max(1, end - Math.max(left, right) - 1)}
          fill="none"
          stroke={colour}
          strokeDasharray="3 2"
        />
      )}
      {from <= at && (
        <rect
          {...box}
          x={left + 0.5}
          width={Math.max(3, right - left - 1)}
          fill={isHatched ? `url(#${id}${part})` : colour}
          stroke={isHatched ? colour : 'none'}
        />
      )}
    </>
  )
}

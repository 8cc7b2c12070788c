import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { type Geometry, geometryOf } from './geometry'
import { Bars, Before, Frame, Hatch, Lines, Notes } from './marks'
import type { PlotProps } from './model'
import { Tip } from './tip'
import { tipText } from './tip-text'
import { useWidth } from './width'

/** Signed stacked bars, lines and areas over cells of time. Pointer and arrow keys do the same. */
export function Plot(props: PlotProps) {
  const { label, cells, series, before = null, running = null, notes = [], height = 260, isWhole = false } = props
  const box = useRef<HTMLDivElement>(null)
  const hatch = useId()
  const width = useWidth(box)
  const [at, setAt] = useState<number | null>(null)
  const geometry = geometryOf({
    ...{ width, height, count: cells.length, series, isWhole, formatTick: props.formatTick },
    before: before?.values ?? [],
    hasNotes: notes.length > 0,
  })
  const shown = at !== null && at < cells.length ? at : null
  const tip = shown === null ? null : { ...props, before, notes, running, cell: shown }
  return (
    <div
      ref={box}
      role="group"
      aria-roledescription="chart"
      aria-label={label}
      tabIndex={0}
      className="relative rounded-inner -outline-offset-2"
      style={{ height }}
      onPointerMove={(event) => setAt(cellUnder(event, geometry, cells.length))}
      onPointerLeave={() => setAt(null)}
      onBlur={() => setAt(null)}
      onClick={() => shown !== null && props.onOpen?.(shown)}
      onKeyDown={(event) => move(event, { at: shown, count: cells.length, setAt, onOpen: props.onOpen })}
    >
      {width > 0 && (
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          className={props.onOpen && shown !== null ? 'cursor-pointer' : ''}
        >
          <defs>
            <Hatch id={hatch} />
          </defs>
          {shown !== null && <Highlight geometry={geometry} cell={shown} />}
          <Frame geometry={geometry} cells={cells} formatTick={props.formatTick} />
          <Bars geometry={geometry} series={series} count={cells.length} running={running} hatch={hatch} />
          <Notes geometry={geometry} notes={notes} />
          {before && <Before geometry={geometry} values={before.values} />}
          <Lines geometry={geometry} series={series} running={running} />
        </svg>
      )}
      {tip && <Tip {...tip} x={geometry.x(tip.cell)} width={width} />}
      <div className="sr-only" aria-live="polite">
        {tip && tipText(tip)}
      </div>
    </div>
  )
}

const Highlight = ({ geometry: { box, band, x }, cell }: { geometry: Geometry; cell: number }) => (
  <rect
    x={x(cell) - band / 2}
    y={box.top - 4}
    width={band}
    height={box.height - box.top - box.bottom + 4}
    className="fill-hover"
  />
)

function cellUnder(event: PointerEvent<HTMLElement>, { box, band }: Geometry, count: number): number | null {
  const x = event.clientX - event.currentTarget.getBoundingClientRect().left - box.left
  const cell = Math.floor(x / band)
  return cell >= 0 && cell < count ? cell : null
}

interface Keys {
  at: number | null
  count: number
  setAt: (cell: number | null) => void
  onOpen: ((cell: number) => void) | undefined
}

function move(event: KeyboardEvent, { at, count, setAt, onOpen }: Keys): void {
  const last = count - 1
  const targets: Record<string, number | null> = {
    ArrowLeft: Math.max(0, (at ?? count) - 1),
    ArrowRight: Math.min(last, (at ?? -1) + 1),
    Home: 0,
    End: last,
    Escape: null,
  }
  if (event.key === 'Enter' && at !== null && onOpen) {
    event.preventDefault()
    onOpen(at)
    return
  }
  const target = targets[event.key]
  if (target === undefined || (event.key === 'Escape' && at === null)) return
  event.preventDefault()
  setAt(target)
}

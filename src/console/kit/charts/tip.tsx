import type { ReactNode } from 'react'
import { Swatch } from './legend'
import type { PlotSeries } from './model'
import { type TipProps, valueText } from './tip-text'

const WIDTH = 210

/** What one cell shows, beside it. */
export function Tip(props: TipProps & { x: number; width: number }) {
  const { cells, series, cell, before, notes, running, runningText, format, x, width } = props
  const isRight = x + WIDTH + 24 > width
  const left = isRight ? Math.max(0, x - WIDTH - 16) : x + 16
  const value = before?.values[cell] ?? null
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-2 z-20 grid gap-1 rounded-control border border-line bg-raised p-3 text-xs shadow-float"
      style={{ left, width: WIDTH }}
    >
      <p className="text-sm font-semibold">
        {cells[cell]?.title}
        {cell === running && <span className="font-normal text-ink-2"> {runningText}</span>}
      </p>
      {series.map((one) => (
        <Line key={one.key} name={<Named series={one} />} value={valueText(one.values[cell], format)} />
      ))}
      {before && value !== null && <Line name={before.name} value={format(value)} />}
      {notes
        .filter((note) => note.cell === cell)
        .map(({ text }, index) => (
          <p key={index} className="border-t border-line pt-1 break-words text-ink-2">
            {text}
          </p>
        ))}
    </div>
  )
}

const Line = ({ name, value }: { name: ReactNode; value: string }) => (
  <p className="flex items-center justify-between gap-3">
    <span className="flex min-w-0 items-center gap-1.5 truncate text-ink-2">{name}</span>
    <span className="font-medium tabular-nums">{value}</span>
  </p>
)

const Named = ({ series }: { series: PlotSeries }) => (
  <>
    <Swatch series={series} />
    <span className="truncate">{series.name}</span>
  </>
)

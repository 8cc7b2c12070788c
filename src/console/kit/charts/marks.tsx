import { areaOf, type Geometry, pathOf } from './geometry'
import { colorOf, type PlotCell, type PlotNote, type PlotSeries } from './model'
import { labelStep, placeNotes } from './scale'

interface FrameProps {
  geometry: Geometry
  cells: readonly PlotCell[]
  formatTick: (value: number) => string
}

/** Grid lines, their values, and the names of the cells. */
export function Frame({ geometry: { box, band, ticks, x, y }, cells, formatTick }: FrameProps) {
  const step = labelStep(band, Math.max(...cells.map(({ tick }) => tick.length), 1))
  return (
    <g className="text-2xs">
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={box.left}
            x2={box.width - box.right}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? 'stroke-line-2' : 'stroke-grid'}
          />
          <text x={box.left - 8} y={y(tick) + 4} textAnchor="end" className="fill-ink-3 tabular-nums">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {cells.map(({ tick }, index) =>
        (cells.length - 1 - index) % step === 0 ? (
          <text
            key={index}
            x={Math.min(x(index), box.width - tick.length * 3.3)}
            y={box.height - 8}
            textAnchor="middle"
            className="fill-ink-3"
          >
            {tick}
          </text>
        ) : null,
      )}
    </g>
  )
}

interface BarsProps {
  geometry: Geometry
  series: readonly PlotSeries[]
  count: number
  /** The cell that is not over: hatched. */
  running: number | null
  hatch: string
}

export function Bars({ geometry, series, count, running, hatch }: BarsProps) {
  const bars = series.filter(({ kind }) => kind === 'bar')
  return Array.from({ length: count }, (_, cell) => (
    <Stack key={cell} geometry={geometry} bars={bars} cell={cell} hatch={cell === running ? hatch : null} />
  ))
}

interface StackProps {
  geometry: Geometry
  bars: readonly PlotSeries[]
  cell: number
  hatch: string | null
}

function Stack({ geometry: { band, x, y }, bars, cell, hatch }: StackProps) {
  const width = Math.max(1, Math.min(44, band * (band < 12 ? 0.85 : 0.68)))
  let [up, down] = [0, 0]
  return bars.map(({ key, color, below = color, values }) => {
    const value = values[cell] ?? 0
    if (value === 0) return null
    const from = value > 0 ? up : down
    if (value > 0) up += value
    else down += value
    const [top, bottom] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))]
    const height = Math.max(1, bottom - top - (bottom - top > 3 ? 1 : 0))
    const place = {
      x: x(cell) - width / 2,
      y: value > 0 ? bottom - height : top,
      width,
      height,
      rx: height > 3 ? 1.5 : 0,
    }
    return (
      <g key={key}>
        <rect {...place} style={{ fill: colorOf(value < 0 ? below : color), opacity: hatch ? 0.7 : 1 }} />
        {hatch && <rect {...place} fill={`url(#${hatch})`} />}
      </g>
    )
  })
}

export const Hatch = ({ id }: { id: string }) => (
  <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="2.2" height="5" className="fill-surface" />
  </pattern>
)

interface LinesProps {
  geometry: Geometry
  series: readonly PlotSeries[]
  running: number | null
}

/** Lines and areas. Points are hollow, and the way to the cell that is not over is dashed. */
export const Lines = ({ geometry, series, running }: LinesProps) =>
  series
    .filter(({ kind }) => kind !== 'bar')
    .map((one) => <Line key={one.key} geometry={geometry} series={one} running={running} />)

function Line({ geometry, series, running }: Omit<LinesProps, 'series'> & { series: PlotSeries }) {
  const { kind, color, values } = series
  const style = { stroke: colorOf(color) }
  const solid = values.map((value, cell) => (running !== null && cell >= running ? null : value))
  const dashed = values.map((value, cell) =>
    running !== null && cell >= running - 1 && cell <= running ? value : null,
  )
  return (
    <g fill="none" strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round">
      {kind === 'area' && (
        <path d={areaOf(values, geometry)} stroke="none" style={{ fill: colorOf(color), opacity: 0.12 }} />
      )}
      <path d={pathOf(solid, geometry)} style={style} />
      {running !== null && <path d={pathOf(dashed, geometry)} style={style} strokeDasharray="3 4" />}
      {values.map((value, cell) =>
        value !== null && geometry.band >= 14 ? (
          <circle
            key={cell}
            cx={geometry.x(cell)}
            cy={geometry.y(value)}
            r="2.6"
            strokeWidth="1.4"
            className="fill-surface"
            style={style}
          />
        ) : null,
      )}
    </g>
  )
}

/** The period before: dotted. */
export const Before = ({ geometry, values }: { geometry: Geometry; values: readonly (number | null)[] }) => (
  <path
    d={pathOf(values, geometry)}
    fill="none"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeDasharray="0.1 4.5"
    className="stroke-ink-2"
  />
)

/** Texts on top of the chart. One that does not fit keeps its dot. */
export function Notes({ geometry: { box, x }, notes }: { geometry: Geometry; notes: readonly PlotNote[] }) {
  const placed = placeNotes(
    notes.map(({ cell, text }) => ({ x: x(cell), text: shortened(text) })),
    box.width,
  )
  return placed.map(({ x: at, text, side }, index) => (
    <g key={index}>
      <line x1={at} x2={at} y1={16} y2={box.height - box.bottom} className="stroke-ink-3" strokeDasharray="1.5 3" />
      <circle cx={at} cy={12} r="3" className="fill-ink-2" />
      {side && (
        <text
          x={side === 'right' ? at + 8 : at - 8}
          y={16}
          textAnchor={side === 'right' ? 'start' : 'end'}
          className="fill-ink-2 text-2xs"
        >
          {text}
        </text>
      )}
    </g>
  ))
}

const shortened = (text: string): string => ([...text].length > 32 ? `${[...text].slice(0, 31).join('')}…` : text)

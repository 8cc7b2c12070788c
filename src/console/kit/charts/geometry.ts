import type { PlotSeries } from './model'
import { domainOf, ticksOf } from './scale'

export interface Box {
  width: number
  height: number
  left: number
  top: number
  bottom: number
  right: number
}

export interface Geometry {
  box: Box
  /** Width of one cell. */
  band: number
  ticks: number[]
  /** The middle of a cell. */
  x: (cell: number) => number
  y: (value: number) => number
}

interface Wanted {
  width: number
  height: number
  count: number
  series: readonly PlotSeries[]
  before: readonly (number | null)[]
  formatTick: (value: number) => string
  isWhole: boolean
  hasNotes: boolean
}

export function geometryOf({ width, height, count, series, before, ...rest }: Wanted): Geometry {
  const [low, high] = domainOf([...reaches(series, count), ...before.filter((value) => value !== null)])
  const ticks = ticksOf(low, high, rest.isWhole)
  const longest = Math.max(...ticks.map((tick) => rest.formatTick(tick).length))
  const box = { width, height, left: longest * 6.6 + 14, top: rest.hasNotes ? 30 : 10, bottom: 26, right: 8 }
  const band = Math.max(1, (width - box.left - box.right) / Math.max(1, count))
  const inner = height - box.top - box.bottom
  return {
    box,
    band,
    ticks,
    x: (cell) => box.left + band * (cell + 0.5),
    y: (value) => box.top + inner * (1 - (value - low) / (high - low)),
  }
}

/** The ends of each stack of bars, and the values of the lines. */
function reaches(series: readonly PlotSeries[], count: number): number[] {
  const bars = series.filter(({ kind }) => kind === 'bar')
  const stacks = Array.from({ length: count }, (_, cell) => {
    const own = bars.map(({ values }) => values[cell] ?? 0)
    return [sum(own.filter((value) => value > 0)), sum(own.filter((value) => value < 0))]
  })
  const lines = series.filter(({ kind }) => kind !== 'bar').flatMap(({ values }) => values)
  return [...stacks.flat(), ...lines.filter((value) => value !== null)]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A path through the values; it is interrupted where there is none. */
export function pathOf(values: readonly (number | null)[], { x, y }: Geometry): string {
  let isDown = false
  const parts = values.map((value, cell) => {
    if (value === null) {
      isDown = false
      return ''
    }
    const part = `${isDown ? 'L' : 'M'}${x(cell).toFixed(1)} ${y(value).toFixed(1)}`
    isDown = true
    return part
  })
  return parts.join('')
}

/** The area between the values and zero. */
export function areaOf(values: readonly (number | null)[], geometry: Geometry): string {
  const known = values.flatMap((value, cell) => (value === null ? [] : [{ value, cell }]))
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return ''
  const zero = geometry.y(0).toFixed(1)
  const line = known
    .map(({ value, cell }) => `L${geometry.x(cell).toFixed(1)} ${geometry.y(value).toFixed(1)}`)
    .join('')
  return `M${geometry.x(first.cell).toFixed(1)} ${zero}${line}L${geometry.x(last.cell).toFixed(1)} ${zero}Z`
}

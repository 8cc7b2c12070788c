import type { Measured } from './measure'

type Unit =
  | 'req/s'
  | 'subscribers/s'
  | 'ms'
  | 'MB'
  | 'KB'
  | 'cores'
  | 'streams'
  | 'streams/s'
  | 'events/s'
  | 'rows/s'
  | 'frames/s'
  | 'bytes'

export interface Figure {
  value: number
  unit: Unit
  p50Ms?: number
  p99Ms?: number
}

/** The goal of a row: its ratio or its result must be at least or at most this number. */
export interface Aim {
  of: 'ratio' | 'result'
  is: 'at least' | 'at most'
  value: number
}

/** One line of the report. `ratio` is result divided by yardstick unless it is given. */
export interface Row {
  what: string
  result: Figure
  yardstick: Figure | null
  ratio?: number
  aim: Aim | null
  /** Answers with an unwanted status. A row with any of them never passes. */
  faults?: Record<string, number>
  /** The rounds whose medians are the figures. */
  rounds?: readonly unknown[]
}

export const AT_LEAST_HALF: Aim = { of: 'ratio', is: 'at least', value: 0.5 }

export const atLeast = (value: number): Aim => ({ of: 'ratio', is: 'at least', value })

export const toFigure = ({ perSecond, p50Ms, p99Ms }: Measured): Figure => ({
  value: perSecond,
  unit: 'req/s',
  p50Ms,
  p99Ms,
})

/** A row for a load and the figure that it is compared with. */
export const loadRow = (what: string, measured: Measured, yardstick: Figure | null, aim: Aim | null): Row => ({
  what,
  result: toFigure(measured),
  yardstick,
  aim,
  faults: measured.faults,
  rounds: measured.rounds,
})

/** A row for how much more a request costs in the large database than in the small one. */
export const growthRow = (what: string, sizes: string, small: Measured, large: Measured): Row => ({
  what: `growth, ${sizes}: ${what}`,
  result: toFigure(large),
  yardstick: toFigure(small),
  ratio: small.perSecond / large.perSecond,
  aim: { of: 'ratio', is: 'at most', value: 1.15 },
  faults: large.faults,
  rounds: large.rounds,
})

export const ratioOf = ({ ratio, result, yardstick }: Row): number | null =>
  ratio ?? (yardstick === null ? null : result.value / yardstick.value)

/** Null when the row has no aim. */
export function isMet(row: Row): boolean | null {
  if (Object.keys(row.faults ?? {}).length > 0) return false
  if (row.aim === null) return null
  const value = row.aim.of === 'ratio' ? ratioOf(row) : row.result.value
  if (value === null) return null
  return row.aim.is === 'at least' ? value >= row.aim.value : value <= row.aim.value
}

export function toMarkdown(rows: readonly Row[]): string {
  const head = '| what | result | yardstick | ratio | aim | ok |\n|---|---|---|---|---|---|'
  return [head, ...rows.map(toLine)].join('\n')
}

function toLine(row: Row): string {
  const { what, result, yardstick, aim } = row
  const ratio = ratioOf(row)
  const cells = [
    `${what}${showFaults(row)}`,
    showFigure(result),
    yardstick === null ? '' : showFigure(yardstick),
    ratio === null ? '' : ratio.toFixed(2),
    aim === null ? '' : showAim(aim, result.unit),
    showVerdict(isMet(row)),
  ]
  return `| ${cells.join(' | ')} |`
}

const showVerdict = (verdict: boolean | null): string => (verdict === null ? '' : verdict ? 'yes' : 'NO')

function showFaults({ faults = {} }: Row): string {
  const parts = Object.entries(faults).map(([status, count]) => `${count} x ${status}`)
  return parts.length === 0 ? '' : ` (WRONG: ${parts.join(', ')})`
}

function showFigure({ value, unit, p50Ms, p99Ms }: Figure): string {
  const number = unit.endsWith('/s') ? Math.round(value).toLocaleString('en') : toDigits(value)
  const times = p50Ms === undefined || p99Ms === undefined ? '' : `, p50 ${toDigits(p50Ms)} p99 ${toDigits(p99Ms)} ms`
  return `${number} ${unit}${times}`
}

const showAim = ({ of, is, value }: Aim, unit: Unit): string =>
  `${is} ${of === 'ratio' ? value.toFixed(2) : `${value} ${unit}`}`

/** Three significant digits. */
const toDigits = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

import { type KeyboardEvent, useState } from 'react'
import { Link } from 'wouter'
import { cx } from '../../lib/class-names'

export interface HeatRow {
  key: string
  /** The head of the row. */
  title: string
  /** How many there are, written behind it. */
  size?: string
  /** Empty where there is no value yet. */
  values: readonly (number | null)[]
}

interface HeatProps {
  label: string
  /** The head above the heads of the rows. */
  corner: string
  sizeTitle?: string
  columns: readonly string[]
  rows: readonly HeatRow[]
  format: (value: number) => string
  /** The value that is coloured fully. */
  most: number
  hrefOf?: ((row: number, column: number) => string | null) | undefined
}

/** A table whose cells are coloured by their values. Arrow keys go from cell to cell. */
export function Heat(props: HeatProps) {
  const { label, corner, sizeTitle, columns, rows } = props
  const [at, setAt] = useState<readonly [row: number, column: number]>([0, 0])
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="border-separate border-spacing-px text-xs" onKeyDown={move}>
        <thead>
          <tr className="h-8 text-ink-2">
            <th scope="col" className="sticky left-0 bg-surface px-3 text-left font-medium">
              {corner}
            </th>
            {sizeTitle !== undefined && (
              <th scope="col" className="px-3 text-right font-medium">
                {sizeTitle}
              </th>
            )}
            {columns.map((column) => (
              <th key={column} scope="col" className="min-w-14 px-1 text-center font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={row.key} {...props} row={row} index={index} at={at} onFocus={setAt} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends HeatProps {
  row: HeatRow
  index: number
  at: readonly [row: number, column: number]
  onFocus: (at: readonly [number, number]) => void
}

const Row = ({ row, index, sizeTitle, columns, format, most, hrefOf, at, onFocus }: RowProps) => (
  <tr className="h-8">
    <th scope="row" className="sticky left-0 bg-surface px-3 text-left font-medium whitespace-nowrap">
      {row.title}
    </th>
    {sizeTitle !== undefined && <td className="px-3 text-right tabular-nums">{row.size ?? '—'}</td>}
    {columns.map((column, place) => {
      const value = row.values[place] ?? null
      const href = value === null ? null : (hrefOf?.(index, place) ?? null)
      const text = value === null ? '' : format(value)
      return (
        <td
          key={column}
          className={cx('rounded-chip p-0 text-center tabular-nums', value === null && 'bg-transparent')}
          style={value === null ? {} : { background: shade(value / most) }}
        >
          {href ? (
            <Link
              href={href}
              data-cell={`${index}-${place}`}
              tabIndex={at[0] === index && at[1] === place ? 0 : -1}
              onFocus={() => onFocus([index, place])}
              className="flex min-h-8 items-center justify-center px-1 -outline-offset-2 hover:underline"
            >
              {text}
            </Link>
          ) : (
            text
          )}
        </td>
      )
    })}
  </tr>
)

/** At the most half of d1, so that text keeps its contrast. */
const shade = (share: number): string =>
  `color-mix(in oklab, var(--d1) ${Math.round(Math.min(1, Math.max(0, share)) * 50)}%, var(--surface))`

const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const cell = (document.activeElement as HTMLElement | null)?.dataset.cell?.split('-').map(Number)
  if (!step || !cell) return
  const [row = 0, column = 0] = cell
  const target = event.currentTarget.querySelector<HTMLElement>(`[data-cell="${row + step[0]}-${column + step[1]}"]`)
  if (!target) return
  event.preventDefault()
  target.focus()
}

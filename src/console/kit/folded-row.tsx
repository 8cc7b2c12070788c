import { cx } from '../lib/class-names'
import { type Column, PlainLink } from './table-row'

interface Folding<R> {
  label: string
  hrefOf: ((row: R) => string) | undefined
  /** In a long list all rows are equally high, so what does not fit is cut. */
  isLong: boolean
}

/**
 * The columns of a list on a phone, which is too narrow for them: the first cell in one line, the others in
 * the next. The link covers the row; what can be pressed by itself lies above it.
 */
export function folded<R>(columns: readonly Column<R>[], { label, hrefOf, isLong }: Folding<R>): Column<R>[] {
  const [first, ...rest] = columns.filter(({ isMenu, isExtra }) => !isMenu && !isExtra)
  if (first === undefined) return [...columns]
  const row: Column<R> = {
    title: label,
    isFolded: true,
    cell: (one) => (
      <div className="grid min-h-14 grid-cols-[minmax(0,1fr)] content-center gap-y-0.5 py-2 pl-4">
        <div className="truncate text-md font-medium">
          {hrefOf === undefined ? (
            first.cell(one)
          ) : (
            <PlainLink
              href={hrefOf(one)}
              className="text-accent after:absolute after:inset-0 after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {first.cell(one)}
            </PlainLink>
          )}
        </div>
        <div className={cx('flex items-center gap-x-3 gap-y-1 text-xs text-ink-2', !isLong && 'flex-wrap')}>
          {rest.map((column, index) => (
            <Folded key={index} column={column} row={one} />
          ))}
        </div>
      </div>
    ),
  }
  return [row, ...columns.filter(({ isMenu }) => isMenu)]
}

const Folded = <R,>({ column: { title, cell, isNumber, isNamed, whole }, row }: { column: Column<R>; row: R }) => (
  <span title={whole?.(row)} className="max-w-full truncate tabular-nums [&_:is(a,button,label,input)]:relative">
    <span className={isNumber || isNamed ? 'text-ink-3' : 'sr-only'}>{title} </span>
    {cell(row)}
  </span>
)

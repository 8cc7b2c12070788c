import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Listing } from '../api/queries'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { Empty, Skeleton } from './empty'
import { Failure } from './failure'

export interface Column<R> {
  /** The head. */
  title: ReactNode
  cell: (row: R) => ReactNode
  /** Right, with figures under each other. */
  isNumber?: boolean
  /** Left out on phones. */
  isExtra?: boolean
  /** The whole text of a cell that may be cut. */
  whole?: (row: R) => string
}

interface DataTableProps<R> {
  /** Says what is listed. */
  label: string
  columns: readonly Column<R>[]
  list: Listing<R>
  keyOf: (row: R) => string
  /** The screen of a row: its first cell is the link to it. */
  hrefOf?: (row: R) => string
  /** What the table says when the list is empty. */
  empty?: ReactNode
  foot?: ReactNode
}

/** Above this many rows, only those on the screen are in the document. */
const VIRTUAL = 200
const ROW = 32

/** A list from the server, which sorts and pages it. */
export function DataTable<R>(props: DataTableProps<R>) {
  const t = useText('common')
  const { list, label, columns, empty, foot } = props
  if (list.error && list.items.length === 0)
    return (
      <div className="px-4">
        <Failure error={list.error} onRetry={list.retry} />
      </div>
    )
  if (list.isLoading) return <Skeleton lines={6} className="px-4" />
  if (list.items.length === 0) return <>{empty ?? <Empty title={t.nothingHere} />}</>
  return (
    <>
      <div className="relative overflow-x-auto">
        <table className="w-full border-collapse text-sm" aria-label={label}>
          <thead>
            <tr className="h-9 bg-sunken text-xs text-ink-2">
              {columns.map(({ title, isNumber, isExtra }, index) => (
                <th
                  key={index}
                  scope="col"
                  className={cx('px-4 font-medium', isNumber ? 'text-right' : 'text-left', isExtra && 'max-md:hidden')}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          {list.items.length > VIRTUAL ? <VirtualRows {...props} /> : <Rows {...props} rows={list.items} />}
          {foot}
        </table>
      </div>
      <More list={list} />
    </>
  )
}

export function More({ list }: { list: Listing<unknown> }) {
  const t = useText('common')
  if (!list.hasMore) return null
  return (
    <div className="flex items-center justify-between border-t border-line px-4 py-2 text-xs text-ink-2">
      <span>{t.shown(String(list.items.length))}</span>
      <Button onClick={list.showMore} busy={list.isFetchingMore}>
        {t.showMore}
      </Button>
    </div>
  )
}

interface RowsProps<R> extends Pick<DataTableProps<R>, 'columns' | 'keyOf' | 'hrefOf'> {
  rows: readonly R[]
}

const Rows = <R,>({ rows, keyOf, columns, hrefOf }: RowsProps<R>) => (
  <tbody>
    {rows.map((row) => (
      <Row key={keyOf(row)} row={row} columns={columns} {...(hrefOf && { hrefOf })} />
    ))}
  </tbody>
)

type RowProps<R> = Pick<DataTableProps<R>, 'columns' | 'hrefOf'> & { row: R }

function PlainRow<R>({ row, columns, hrefOf }: RowProps<R>) {
  return (
    <tr data-row className="h-8 border-t border-line hover:bg-hover">
      {columns.map(({ cell, isNumber, isExtra, whole }, index) => (
        <td
          key={index}
          title={whole?.(row)}
          className={cx(
            'max-w-80 truncate px-4 py-1.5',
            isNumber && 'text-right tabular-nums',
            isExtra && 'max-md:hidden',
            index === 0 && 'max-md:sticky max-md:left-0 max-md:bg-surface',
          )}
        >
          {index === 0 && hrefOf ? (
            <Link href={hrefOf(row)} className="font-medium text-accent hover:underline">
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

/** While a long list is scrolled, only the rows that come into sight are made; the others are kept as they are. */
const Row = memo(PlainRow) as typeof PlainRow

/** The rows near the window, between two spacers. */
function VirtualRows<R>({ list, columns, keyOf, hrefOf }: DataTableProps<R>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [margin, setMargin] = useState(0)
  useEffect(() => setMargin((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [])
  const virtual = useVirtualizer({
    count: list.items.length,
    estimateSize: () => ROW,
    overscan: 12,
    scrollMargin: margin,
    getScrollElement: () => document.documentElement,
    observeElementRect: (_, tell) => {
      const measure = () => tell({ width: innerWidth, height: innerHeight })
      measure()
      addEventListener('resize', measure)
      return () => removeEventListener('resize', measure)
    },
    observeElementOffset: (_, tell) => {
      const measure = () => tell(window.scrollY, true)
      measure()
      addEventListener('scroll', measure, { passive: true })
      return () => removeEventListener('scroll', measure)
    },
  })
  const link = hrefOf && { hrefOf }
  const items = virtual.getVirtualItems()
  const above = (items[0]?.start ?? margin) - margin
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? margin) + margin
  return (
    <tbody ref={body}>
      <Spacer height={above} span={columns.length} />
      {items.map(({ index }) => {
        const row = list.items[index] as R
        return <Row key={keyOf(row)} row={row} columns={columns} {...link} />
      })}
      <Spacer height={below} span={columns.length} />
    </tbody>
  )
}

const Spacer = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden="true">
      <td colSpan={span} className="p-0" style={{ height }} />
    </tr>
  ) : null

/** A short table of facts that are already there. */
export function PlainTable<R>({ rows, ...props }: Omit<DataTableProps<R>, 'list'> & { rows: readonly R[] }) {
  const list = {
    items: [...rows],
    hasMore: false,
    showMore: () => {},
    isLoading: false,
    isFetchingMore: false,
    error: null,
    retry: () => {},
  }
  return <DataTable {...props} list={list} />
}

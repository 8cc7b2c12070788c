import { type CSSProperties, type ReactNode, useRef } from 'react'
import type { Listing } from '../api/queries'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import { Elsewhere } from './elsewhere'
import { Empty, Skeleton } from './empty'
import { Failure } from './failure'
import { folded } from './folded-row'
import { PhoneLines, type PhoneRow, useIsPhone } from './phone'
import { ScrollBox } from './scroll-box'
import { Foot } from './table-foot'
import { type OpensMenu, TableMenu } from './table-menu'
import { type Column, Row, TableContext } from './table-row'
import { useFixedColumns } from './use-fixed-columns'
import { usePrinting } from './use-printing'
import { useRowItems, useRowKeys } from './use-row-acts'
import { useSelection } from './use-selection'
import { VirtualRows } from './virtual-rows'

export { More } from './table-foot'
export type { Column } from './table-row'

interface DataTableProps<R> {
  /** The name of the list, for screen readers. */
  label: string
  columns: readonly Column<R>[]
  list: Listing<R>
  keyOf: (row: R) => string
  /** The screen of a row: its first cell is the link to it. */
  hrefOf?: (row: R) => string
  /** The text of the table when the list is empty. */
  empty?: ReactNode
  foot?: ReactNode
  /** The rows of a phone, in two lines; without it the other cells of a row are folded below its first. */
  phone?: PhoneRows<R>
  /** Keeps its columns on a phone, for tables that are no lists: people compare their columns or have chosen them. */
  keepsColumns?: boolean
}

export interface PhoneRows<R> {
  lines: (row: R) => PhoneRow
  /** Where a row leads, if rows of the table lead nowhere. */
  hrefOf?: (row: R) => string
}

/** Above this many rows, only those on the screen are in the document. */
const VIRTUAL = 200

/** A list from the server, which sorts and pages it. Rows can be selected, copied and saved as CSV. */
export function DataTable<R>(props: DataTableProps<R>) {
  const t = useText('common')
  const { list, label, empty, keyOf } = props
  const { columns, hrefOf, foot } = useLayout(props)
  const place = useRef<HTMLDivElement>(null)
  const chosen = useSelection(list.items, keyOf)
  const menu = useRef<OpensMenu>(null)
  const items = useRowItems(list, chosen)
  const here = items && { ...items, openMenu: (...at: Parameters<OpensMenu['open']>) => menu.current?.open(...at) }
  const isPart = !usePrinting() && !list.isLoading && list.items.length > VIRTUAL
  const columnWidths = useFixedColumns(place, isPart)
  useRowKeys(place, { rows: list.items, keyOf, chosen })
  if (list.error && list.items.length === 0)
    return (
      <div className="px-4">
        <Failure error={list.error} onRetry={list.retry} />
      </div>
    )
  if (list.isLoading) return <Skeleton lines={6} className="px-4" />
  if (list.items.length === 0)
    return (
      <>
        {/* As high as the placeholder that was shown while the rows were read, so that nothing below it moves. */}
        <div className="grid min-h-45 content-center">{empty ?? <Empty title={t.nothingHere} />}</div>
        <Elsewhere source={list.source} />
      </>
    )
  const hasMenus = here !== null && !columns.some(({ isMenu }) => isMenu)
  return (
    <TableContext value={here}>
      <ScrollBox ref={place} label={label} className="relative">
        <table
          data-list={props.keepsColumns ? undefined : ''}
          className={cx('w-full border-collapse text-sm', columnWidths !== null && 'rows-apart')}
          style={columnWidths === null ? undefined : ({ '--columns': columnWidths } as CSSProperties)}
          role={isPart ? 'table' : undefined}
          aria-label={label}
          aria-rowcount={isPart ? (list.hasMore ? -1 : list.items.length + 1) : undefined}
        >
          <Head columns={columns} hasMenus={hasMenus} isPart={isPart} isFolded={columns !== props.columns} />
          {isPart ? (
            <VirtualRows
              rows={list.items}
              columnWidths={columnWidths}
              columns={columns}
              keyOf={keyOf}
              hrefOf={hrefOf}
            />
          ) : (
            <tbody className={cx(columns !== props.columns && '[&>tr:first-child]:border-t-0')}>
              {list.items.map((row, index) => (
                <Row key={keyOf(row)} row={row} index={index} columns={columns} keyOf={keyOf} hrefOf={hrefOf} />
              ))}
            </tbody>
          )}
          {foot}
        </table>
      </ScrollBox>
      {items && hasMenus && <TableMenu ref={menu} itemsOf={items.itemsOf} />}
      <Foot list={list} chosen={chosen} keyOf={keyOf} />
    </TableContext>
  )
}

/** Columns, or on a phone one column with two lines. */
function useLayout<R>({ label, columns, list, hrefOf, foot, phone, keepsColumns = false }: DataTableProps<R>) {
  const isPhone = useIsPhone()
  if (!isPhone || keepsColumns) return { columns, hrefOf, foot }
  if (!phone) return { columns: folded(columns, { label, hrefOf, isLong: list.items.length > VIRTUAL }), hrefOf, foot }
  const lines: Column<R> = { title: label, isLines: true, cell: (row) => <PhoneLines {...phone.lines(row)} /> }
  return { columns: [lines], hrefOf: phone.hrefOf ?? hrefOf, foot: null }
}

interface HeadProps<R> {
  columns: readonly Column<R>[]
  hasMenus: boolean
  isPart: boolean
  /** The only column has the name of the list, which stands above it already. */
  isFolded: boolean
}

function Head<R>({ columns, hasMenus, isPart, isFolded }: HeadProps<R>) {
  const t = useText('common')
  return (
    <thead role={isPart ? 'rowgroup' : undefined} className={cx(isFolded && !isPart && 'sr-only')}>
      <tr role={isPart ? 'row' : undefined} className="h-9 bg-sunken text-xs text-ink-2">
        {columns.map(({ title, isNumber, isExtra }, index) => (
          <th
            key={index}
            scope="col"
            role={isPart ? 'columnheader' : undefined}
            className={cx('px-4 font-medium', isNumber ? 'text-right' : 'text-left', isExtra && 'max-md:hidden')}
          >
            {title}
          </th>
        ))}
        {hasMenus && (
          <th scope="col" role={isPart ? 'columnheader' : undefined} className="w-9 px-1 print:hidden">
            <span className="sr-only">{t.rowMenus}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

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

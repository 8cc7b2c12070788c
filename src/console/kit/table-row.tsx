import { Check } from 'lucide-react'
import { memo, type ReactNode, useContext } from 'react'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import { MoreItems } from './menu'
import { PlainLink } from './plain-link'
import { TableContext } from './table-context'

export interface Column<R> {
  /** The head. */
  title: ReactNode
  cell: (row: R) => ReactNode
  /** Right, with figures under each other. */
  isNumber?: boolean
  /** Left out on phones. */
  isExtra?: boolean
  /** The cell is a menu: what can be done with every row stands in it too. */
  isMenu?: boolean
  /** The whole text of a cell that may be cut. */
  whole?: (row: R) => string
}

export interface RowProps<R> {
  row: R
  /** Its place in the list, from 0. */
  index: number
  columns: readonly Column<R>[]
  keyOf: (row: R) => string
  hrefOf?: ((row: R) => string) | undefined
  /** In a list of which only a part is in the document. */
  isPart?: boolean
}

/** Drawn again only when the list is: a scroll draws only the rows that come into view. */
export const Row = memo(PlainRow) as typeof PlainRow

function PlainRow<R>({ row, index, columns, keyOf, hrefOf, isPart = false }: RowProps<R>) {
  const table = useContext(TableContext)
  const key = keyOf(row)
  const href = hrefOf?.(row)
  const isChosen = table?.isChosen(key) ?? false
  // Rows that are laid out by themselves are no rows of a table to every browser.
  const roleOf = (role: string) => (isPart ? role : undefined)
  const hasOwnMenu = columns.some(({ isMenu }) => isMenu)
  return (
    <tr
      data-row={key}
      role={roleOf('row')}
      aria-rowindex={isPart ? index + 2 : undefined}
      className={cx('h-8 border-t border-line hover:bg-hover', isChosen && 'bg-hover')}
    >
      {columns.map(({ cell, isNumber, isExtra, isMenu, whole }, at) => (
        <td
          key={at}
          role={roleOf('cell')}
          title={whole?.(row)}
          className={cx(
            'max-w-80 cut px-4 py-1.5',
            isNumber && 'text-right tabular-nums',
            isExtra && 'max-md:hidden',
            at === 0 && 'max-md:sticky max-md:left-0',
            at === 0 && (isChosen ? 'shadow-[inset_3px_0_0_var(--accent)] max-md:bg-hover' : 'max-md:bg-surface'),
          )}
        >
          {at === 0 && href !== undefined ? (
            <PlainLink href={href} className="font-medium text-accent hover:underline">
              {cell(row)}
            </PlainLink>
          ) : isMenu ? (
            <MoreItems value={table?.itemsOf({ row, key, href }) ?? []}>{cell(row)}</MoreItems>
          ) : (
            cell(row)
          )}
        </td>
      ))}
      {table && !hasOwnMenu && (
        <td role={roleOf('cell')} className="w-9 px-1 text-right">
          <RowMenuButton
            place={index + 1}
            isChosen={isChosen}
            onOpen={(button) => table.openMenu(button, { row, key, href })}
          />
        </td>
      )}
    </tr>
  )
}

interface RowMenuButtonProps {
  place: number
  isChosen: boolean
  onOpen: (button: HTMLButtonElement) => void
}

/** What can be done with every row. It appears under the pointer and the focus; on phones always. */
function RowMenuButton({ place, isChosen, onOpen }: RowMenuButtonProps) {
  const t = useText('common')
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={isChosen ? t.rowChosen(place) : t.row(place)}
      onClick={(event) => onOpen(event.currentTarget)}
      className={cx(
        'inline-flex size-6 shrink-0 items-center justify-center rounded-inner align-middle',
        isChosen ? 'text-accent' : 'icon-more',
      )}
    >
      {isChosen && <Check aria-hidden size={15} />}
    </button>
  )
}

import { Check } from 'lucide-react'
import { type AnchorHTMLAttributes, createContext, type MouseEvent, memo, type ReactNode, useContext } from 'react'
import { cx } from '../lib/class-names'
import { goTo, inEnvironment } from '../lib/keep-environment'
import { useText } from '../text/catalogue'
import { type MenuItem, MoreItems } from './menu'

export interface Column<R> {
  /** The head. */
  title: ReactNode
  cell: (row: R) => ReactNode
  /** Right, with figures under each other. */
  isNumber?: boolean
  /** Left out on phones. */
  isExtra?: boolean
  /** The cell is a menu with the actions for every row too. */
  isMenu?: boolean
  /** The only column, with two lines and the whole row as the link. */
  isLines?: boolean
  /** The only column, with the other columns of the table folded into it (`./folded-row`). It has its own link. */
  isFolded?: boolean
  /** On a phone, its head is shown before the value, as for figures. */
  isNamed?: boolean
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
      {columns.map(({ cell, isNumber, isExtra, isMenu, isLines, isFolded, whole }, at) => (
        <td
          key={at}
          role={roleOf('cell')}
          title={whole?.(row)}
          className={cx(
            isLines || isFolded ? 'w-full max-w-0' : 'max-w-80 cut px-4 py-1.5',
            isFolded && 'relative',
            isNumber && 'text-right tabular-nums',
            isExtra && 'max-md:hidden',
            at === 0 && !isLines && !isFolded && 'max-md:sticky max-md:left-0',
            at === 0 && (isChosen ? 'shadow-[inset_3px_0_0_var(--accent)] max-md:bg-hover' : 'max-md:bg-surface'),
          )}
        >
          {at === 0 && href !== undefined && !isFolded ? (
            <PlainLink href={href} className={isLines ? LINES : 'font-medium text-accent hover:underline'}>
              {cell(row)}
            </PlainLink>
          ) : isMenu ? (
            <MoreItems value={table?.itemsOf({ row, key, href }) ?? []}>{cell(row)}</MoreItems>
          ) : isLines ? (
            <span className={LINES}>{cell(row)}</span>
          ) : (
            cell(row)
          )}
        </td>
      ))}
      {table && !hasOwnMenu && (
        <td role={roleOf('cell')} className="w-9 px-1 text-right print:hidden">
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

const LINES = 'block py-2 pl-4 -outline-offset-2'

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

interface PlainLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string
}

/** A link to a screen for long lists: it does not listen to the address, as every other link does. */
export const PlainLink = ({ href, ...props }: PlainLinkProps) => (
  <a {...props} href={inEnvironment(href)} onClick={follow} />
)

function follow(event: MouseEvent<HTMLAnchorElement>): void {
  const { button, altKey, ctrlKey, metaKey, shiftKey, currentTarget } = event
  // The browser opens other tabs and windows by itself.
  if (event.defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  goTo(currentTarget.getAttribute('href') ?? '/')
}

/** A row of a list from the server, with its screen when it has one. */
export interface RowAt {
  row: unknown
  key: string
  href: string | undefined
}

/** What a table of rows from the server offers for each of them. */
export interface TableHere {
  isChosen: (key: string) => boolean
  itemsOf: (at: RowAt) => MenuItem[]
  /** Opens the menu of a row at its button. */
  openMenu: (button: HTMLButtonElement, at: RowAt) => void
}

/** `null` around tables whose rows are only facts. */
export const TableContext = createContext<TableHere | null>(null)

import { MoreHorizontal } from 'lucide-react'
import { useText } from '../text/catalogue'
import { Menu, type MenuItem } from './menu'
import { moveItems } from './sortable'

interface RowMenuProps {
  /** The row, for readers of the screen. */
  label: string
  index: number
  count: number
  items?: readonly MenuItem[]
  onMove: (from: number, to: number) => void
  onRemove: () => void
}

/** The menu of a row in a list that is put in order: the way without dragging, and removing it. */
export function RowMenu({ label, index, count, items = [], onMove, onRemove }: RowMenuProps) {
  const t = useText('common')
  return (
    <Menu
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-inner text-ink-2 hover:bg-hover hover:text-ink max-md:size-9"
      label={
        <>
          <MoreHorizontal aria-hidden size={15} />
          <span className="sr-only">
            {t.actions} {label}
          </span>
        </>
      }
      items={[
        ...moveItems(t, index, count, onMove),
        ...items,
        'line',
        { label: t.remove, isDangerous: true, onSelect: onRemove },
      ]}
    />
  )
}

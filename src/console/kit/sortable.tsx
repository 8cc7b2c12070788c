import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import type { MenuItem } from './menu'

interface SortableListProps<I> {
  items: readonly I[]
  keyOf: (item: I) => string
  /** How an item is called, for the handle and for what is spoken. */
  nameOf: (item: I) => string
  onMove: (from: number, to: number) => void
  isFixed?: boolean
  className?: string
  children: (item: I, index: number, handle: ReactNode) => ReactNode
}

/** Items that are put in order by dragging their handle, or with Space and the arrow keys on it. */
export function SortableList<I>(props: SortableListProps<I>) {
  const { items, keyOf, nameOf, onMove, isFixed = false, className, children } = props
  const t = useText('common')
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = items.map(keyOf)
  const placeOf = (id: unknown) => ids.indexOf(String(id))
  const nameAt = (id: unknown) => {
    const item = items[placeOf(id)]
    return item === undefined ? '' : nameOf(item)
  }
  const end = ({ active, over }: DragEndEvent) => {
    const [from, to] = [placeOf(active.id), placeOf(over?.id)]
    if (from >= 0 && to >= 0 && from !== to) onMove(from, to)
  }
  const said = (active: unknown, over: unknown) => t.dragAt(nameAt(active), placeOf(over) + 1, ids.length)
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
      accessibility={{
        screenReaderInstructions: { draggable: t.dragHow },
        announcements: {
          onDragStart: ({ active }) => said(active.id, active.id),
          onDragOver: ({ active, over }) => (over ? said(active.id, over.id) : undefined),
          onDragEnd: ({ active, over }) => (over ? said(active.id, over.id) : undefined),
          onDragCancel: () => t.dragCancelled,
        },
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={isFixed}>
        <ol className={cx('grid grid-cols-[minmax(0,1fr)] gap-2', className)}>
          {items.map((item, index) => (
            <Item key={keyOf(item)} id={keyOf(item)} name={nameOf(item)} isFixed={isFixed}>
              {(handle) => children(item, index, handle)}
            </Item>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

interface ItemProps {
  id: string
  name: string
  isFixed: boolean
  children: (handle: ReactNode) => ReactNode
}

function Item({ id, name, isFixed, children }: ItemProps) {
  const t = useText('common')
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
    disabled: isFixed,
  })
  const handle = isFixed ? null : (
    <button
      ref={setActivatorNodeRef}
      type="button"
      {...attributes}
      {...listeners}
      aria-label={t.dragName(name)}
      title={t.dragName(name)}
      className="inline-flex size-7 shrink-0 cursor-grab touch-none items-center justify-center rounded-inner text-ink-2 hover:bg-hover hover:text-ink max-md:size-9"
    >
      <GripVertical aria-hidden size={15} />
    </button>
  )
  return (
    <li
      ref={setNodeRef}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
      className={cx('relative min-w-0', isDragging && 'z-10 shadow-float')}
    >
      {children(handle)}
    </li>
  )
}

/** The same list with one item at another place. */
export function moved<I>(items: readonly I[], from: number, to: number): I[] {
  const next = [...items]
  const [item] = next.splice(from, 1)
  if (item === undefined) return next
  next.splice(to, 0, item)
  return next
}

/** The way without dragging: two entries of the item's menu. */
export function moveItems(
  t: { moveUp: string; moveDown: string; isFirst: string; isLast: string },
  index: number,
  count: number,
  onMove: (from: number, to: number) => void,
): MenuItem[] {
  return [
    { label: t.moveUp, reason: index === 0 ? t.isFirst : null, onSelect: () => onMove(index, index - 1) },
    { label: t.moveDown, reason: index === count - 1 ? t.isLast : null, onSelect: () => onMove(index, index + 1) },
  ]
}

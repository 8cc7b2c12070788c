import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import type { MenuItem } from './menu'

interface SortableListProps<I> {
  items: readonly I[]
  keyOf: (item: I) => string
  /** The name of an item, for the handle and for screen readers. */
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
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
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
  const keys = useArrowKeys(ids, nameAt, onMove)
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
            <Item key={keyOf(item)} id={keyOf(item)} name={nameOf(item)} index={index} isFixed={isFixed} keys={keys}>
              {(handle) => children(item, index, handle)}
            </Item>
          ))}
        </ol>
      </SortableContext>
      <p role="status" className="sr-only">
        {keys.said}
      </p>
    </DndContext>
  )
}

interface ArrowKeys {
  /** The item that the arrow keys move now. */
  taken: string | null
  /** The last move, for screen readers. */
  said: string
  press: (id: string, event: KeyboardEvent) => void
  putDown: () => void
}

const STEPS: Record<string, number | undefined> = { ArrowUp: -1, ArrowDown: 1 }

/** Space takes an item and puts it down, the arrow keys move it by one place each, Escape takes it back. */
function useArrowKeys(
  ids: readonly string[],
  nameAt: (id: string) => string,
  onMove: (from: number, to: number) => void,
): ArrowKeys {
  const t = useText('common')
  const [taken, setTaken] = useState<{ id: string; from: number } | null>(null)
  const [said, say] = useState('')
  const press = (id: string, event: KeyboardEvent) => {
    const [place, step] = [ids.indexOf(id), STEPS[event.key]]
    const isTaken = taken?.id === id
    const sayPlace = (at: number) => say(t.dragAt(nameAt(id), at + 1, ids.length))
    if (event.key === ' ' || event.key === 'Enter') {
      setTaken(isTaken ? null : { id, from: place })
      sayPlace(place)
    } else if (isTaken && step !== undefined) {
      const to = place + step
      if (to >= 0 && to < ids.length) {
        onMove(place, to)
        sayPlace(to)
      }
    } else if (isTaken && event.key === 'Escape') {
      if (place !== taken.from) onMove(place, taken.from)
      setTaken(null)
      say(t.dragCancelled)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { taken: taken?.id ?? null, said, press, putDown: () => setTaken(null) }
}

interface ItemProps {
  id: string
  name: string
  index: number
  isFixed: boolean
  keys: ArrowKeys
  children: (handle: ReactNode) => ReactNode
}

function Item({ id, name, index, isFixed, keys, children }: ItemProps) {
  const t = useText('common')
  const { node, setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id, disabled: isFixed })
  const isTaken = keys.taken === id
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is followed to each new place
  useEffect(() => {
    if (isTaken) node.current?.scrollIntoView({ block: 'nearest' })
  }, [isTaken, index])
  const handle = isFixed ? null : (
    <button
      ref={setActivatorNodeRef}
      type="button"
      {...attributes}
      {...listeners}
      onKeyDown={(event) => keys.press(id, event)}
      onBlur={keys.putDown}
      aria-pressed={isTaken}
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
      className={cx('relative min-w-0 rounded-control', (isDragging || isTaken) && 'z-10 shadow-float')}
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

import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import { cx } from '../lib/class-names'

export interface MenuItem {
  label: ReactNode
  onSelect?: () => void
  /** A screen to go to instead. */
  href?: string
  icon?: ReactNode
  isDangerous?: boolean
  isChecked?: boolean
  /** Why it cannot be chosen now. */
  reason?: string | null
}

export type MenuItems = readonly (MenuItem | 'line')[]

/** What every menu inside has below its own items. */
export const MoreItems = createContext<MenuItems>([])

interface MenuProps {
  /** What the button shows. */
  label: ReactNode
  items: MenuItems
  className?: string
  align?: 'left' | 'right'
}

const ITEM =
  'flex min-h-8 w-full items-center gap-2 rounded-inner px-2 text-left text-sm text-ink hover:bg-hover focus-visible:bg-hover -outline-offset-2'

/** A button with a list of actions. Arrow keys, Home and End move; letters jump; Escape closes. */
export function Menu({ label, items, className, align = 'right' }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} aria-haspopup="menu" className={className}>
        {label}
      </button>
      <MenuList id={id} items={items} anchor={button} align={align} />
    </>
  )
}

interface MenuListProps {
  id?: string
  items: MenuItems
  /** The button that it belongs to. */
  anchor: RefObject<HTMLElement | null>
  align: 'left' | 'right'
  ref?: RefObject<HTMLDivElement | null>
}

/** The list of a menu. It opens by its button, or by `showPopover`. */
export function MenuList({ id, items, anchor, align, ref }: MenuListProps) {
  const own = useRef<HTMLDivElement>(null)
  const list = ref ?? own
  const more = useContext(MoreItems)
  const [isOpen, setOpen] = useState(false)
  const all = more.length > 0 && items.length > 0 ? [...items, 'line' as const, ...more] : [...items, ...more]
  const open = () => {
    place(anchor.current, list.current, align)
    list.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
  }
  return (
    <div
      ref={list}
      id={id}
      popover="auto"
      role="menu"
      tabIndex={-1}
      // Only a menu that is open has items.
      onBeforeToggle={(event) => event.newState === 'open' && flushSync(() => setOpen(true))}
      onToggle={(event) => (event.newState === 'open' ? open() : setOpen(false))}
      onKeyDown={move}
      className="fixed m-0 max-h-[calc(100dvh-16px)] max-w-[calc(100vw-16px)] min-w-48 overflow-y-auto rounded-control border border-line bg-raised p-1 shadow-float animate-pop"
    >
      {isOpen &&
        all.map((item, index) =>
          item === 'line' ? (
            <hr key={index} className="my-1 border-line" />
          ) : (
            <Item key={index} item={item} onChosen={() => list.current?.hidePopover()} />
          ),
        )}
    </div>
  )
}

function Item({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { label, onSelect, href, icon, isDangerous, isChecked, reason } = item
  const inner = (
    <>
      {icon}
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{label}</span>
        {reason && (
          <span aria-hidden className="max-w-64 pb-1 text-xs">
            {reason}
          </span>
        )}
      </span>
      {isChecked && <span aria-hidden>✓</span>}
    </>
  )
  const look = cx(ITEM, isDangerous && 'text-bad')
  if (href !== undefined) {
    return (
      <Link
        href={href}
        role="menuitem"
        aria-current={isChecked ? 'page' : undefined}
        className={look}
        onClick={onChosen}
      >
        {inner}
      </Link>
    )
  }
  const choose = () => {
    if (reason) return
    onChosen()
    onSelect?.()
  }
  const state =
    isChecked === undefined
      ? { role: 'menuitem' as const }
      : { role: 'menuitemradio' as const, 'aria-checked': isChecked }
  return (
    <button
      type="button"
      {...state}
      aria-disabled={reason ? true : undefined}
      title={reason ?? undefined}
      onClick={choose}
      className={cx(ITEM, reason ? 'text-ink-3' : isDangerous && 'text-bad')}
    >
      {inner}
    </button>
  )
}

function place(button: HTMLElement | null, list: HTMLElement | null, align: 'left' | 'right'): void {
  if (!button || !list) return
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const x = align === 'right' ? right - width : left
  const y = bottom + 4 + height > innerHeight ? Math.max(8, top - height - 4) : bottom + 4
  list.style.left = `${Math.min(Math.max(8, x), innerWidth - width - 8)}px`
  list.style.top = `${y}px`
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = targetOf(event.key, all, at)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function targetOf(key: string, all: HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return all[(at + 1) % all.length]
  if (key === 'ArrowUp') return all.at(at - 1)
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const from = [...all.slice(at + 1), ...all.slice(0, at + 1)]
  return from.find((one) => one.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from '../lib/class-names'
import { useFilterMode } from './filters'

interface SegmentedProps<V extends string> {
  /** The name of the choice, for screen readers. */
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly (readonly [value: V, label: ReactNode])[]
  /** As wide as its place, with equal parts. */
  isWide?: boolean
}

/** A choice of a few, all visible. */
export function Segmented<V extends string>({ label, value, onChange, options, isWide = false }: SegmentedProps<V>) {
  if (useFilterMode() === 'chips') return null
  return (
    <div
      role="group"
      aria-label={label}
      className={cx('rounded-control border border-line bg-track p-0.5', isWide ? 'flex' : 'inline-flex')}
    >
      {options.map(([one, name]) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === value}
          onClick={() => onChange(one)}
          className={cx(
            'min-h-7 rounded-inner text-sm font-medium whitespace-nowrap',
            isWide ? 'flex-1 px-1' : 'px-2.5',
            one === value ? 'bg-raised text-ink shadow-card' : 'text-ink-2 hover:text-ink',
          )}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** Screens beside each other, as links. */
export const Tabs = ({
  label,
  tabs,
}: {
  label: string
  tabs: readonly (readonly [href: string, name: string, isHere: boolean])[]
}) => (
  <nav aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
    {tabs.map(([href, name, isHere]) => (
      <Link
        key={href}
        href={href}
        aria-current={isHere ? 'page' : undefined}
        className={cx(
          '-mb-px border-b-2 py-2 text-sm font-medium whitespace-nowrap',
          isHere ? 'border-accent text-ink' : 'border-transparent text-ink-2 hover:text-ink',
        )}
      >
        {name}
      </Link>
    ))}
  </nav>
)

import type { ReactNode } from 'react'
import { Link } from 'wouter'

export interface Figure {
  name: string
  value: ReactNode
  /** The rows behind it. */
  href?: string
  /** What the figure lacks. */
  note?: string
}

/** The place of figures that are still read. */
export const FiguresAhead = ({ names }: { names: readonly string[] }) => (
  <Figures figures={names.map((name) => ({ name, value: '\u00a0' }))} />
)

/** Figures beside each other. Each opens the rows behind it. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl className="flex flex-wrap gap-px overflow-hidden max-sm:grid max-sm:grid-cols-2 rounded-card border border-line bg-line shadow-card">
    {figures.map(({ name, value, href, note }) => (
      <div
        key={name}
        className="grid max-w-full min-w-36 grow basis-auto content-start gap-1 bg-surface px-4 py-3 max-sm:min-w-0 max-sm:last:odd:col-span-2"
      >
        <dt className="text-xs text-ink-2">{name}</dt>
        <dd className="truncate text-2xl font-medium tracking-[-0.022em] tabular-nums">
          {href === undefined ? (
            value
          ) : (
            <Link href={href} className="hover:text-accent hover:underline">
              {value}
            </Link>
          )}
        </dd>
        {note !== undefined && <dd className="text-xs text-warn">{note}</dd>}
      </div>
    ))}
  </dl>
)

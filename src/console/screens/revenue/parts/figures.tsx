import type { ReactNode } from 'react'
import { Link } from 'wouter'

export interface Figure {
  name: string
  value: ReactNode
  /** The rows behind it. */
  href?: string
}

/** Figures beside each other. Each opens the rows behind it. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl className="flex flex-wrap gap-px overflow-hidden rounded-card border border-line bg-line shadow-card">
    {figures.map(({ name, value, href }) => (
      <div key={name} className="grid max-w-full min-w-36 grow basis-auto content-start gap-1 bg-surface px-4 py-3">
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
      </div>
    ))}
  </dl>
)

import { Component, type ReactNode } from 'react'
import { cx } from '../lib/class-names'
import { Failure } from './failure'

interface CardProps {
  title?: ReactNode
  /** Right of the title. */
  aside?: ReactNode
  footer?: ReactNode
  /** Without padding, for tables and lists. */
  flush?: boolean
  className?: string
  children: ReactNode
}

/** A part of a screen. What fails inside of it leaves the rest of the screen alone. */
export function Card({ title, aside, footer, flush = false, className, children }: CardProps) {
  return (
    <section
      className={cx(
        'min-w-0 overflow-clip rounded-card border border-line bg-surface shadow-card print:overflow-visible print:shadow-none',
        className,
      )}
    >
      {title !== undefined && (
        <header
          className={cx(
            'flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2',
            flush && 'border-b border-line',
          )}
        >
          <h2 className="text-sm font-semibold">{title}</h2>
          {aside !== undefined && <div className="flex flex-wrap items-center gap-2 text-sm text-ink-2">{aside}</div>}
        </header>
      )}
      <div className={cx(!flush && 'px-4 pb-4', !flush && title === undefined && 'pt-4')}>
        <Boundary>{children}</Boundary>
      </div>
      {footer !== undefined && (
        <footer className="border-t border-line bg-sunken px-4 py-2 text-xs text-ink-2">{footer}</footer>
      )}
    </section>
  )
}

/** Shows a failure in place of the children that threw it. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return <Failure error={error} onRetry={() => this.setState({ error: null })} />
  }
}

/** Names and values, one pair per line. Value `null` shows a dash. */
export const Facts = ({ items }: { items: readonly (readonly [name: ReactNode, value: ReactNode])[] }) => (
  <dl className="divide-y divide-line">
    {items.map(([name, value], index) => (
      <div key={index} className="flex min-h-9 items-center justify-between gap-4 py-1.5">
        <dt className="shrink-0 text-ink-2">{name}</dt>
        <dd className="min-w-0 truncate text-right tabular-nums">{value ?? '—'}</dd>
      </div>
    ))}
  </dl>
)

/** Two columns on wide screens: the main part, and a narrow one for facts. */
export const Columns = ({ main, side }: { main: ReactNode; side: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">{main}</div>
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">{side}</div>
  </div>
)

export const Stack = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
)

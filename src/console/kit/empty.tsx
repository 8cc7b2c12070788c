import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '../lib/class-names'

interface EmptyProps {
  /** What will be here. */
  title: ReactNode
  /** Why it is empty. */
  children?: ReactNode
  /** The one next step. */
  action?: ReactNode
}

export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="grid justify-items-center gap-2 px-4 py-10 text-center">
    <p className="text-md font-medium">{title}</p>
    {children !== undefined && <div className="max-w-md text-sm text-ink-2">{children}</div>}
    {action}
  </div>
)

const DELAY_MS = 150

/** Grey lines in the shape of the loading content. They appear after 150 ms, so that a fast answer does not flicker. */
export function Skeleton({ lines = 4, className }: { lines?: number; className?: string }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-hidden="true" aria-busy="true" className={cx('grid gap-3 py-3', className)}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={cx('h-4 rounded-chip', isShown && 'bg-hover', index % 3 === 2 && 'w-2/3')} />
      ))}
    </div>
  )
}

import type { ReactNode } from 'react'
import { cx } from '../lib/class-names'

/** ∴, the mark of svc. */
export const Mark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" className={cx('size-5', className)}>
    <circle cx="8" cy="4" r="2.3" fill="var(--accent)" />
    <circle cx="3.6" cy="11.6" r="2.3" fill="var(--ink)" />
    <circle cx="12.4" cy="11.6" r="2.3" fill="var(--ink)" />
  </svg>
)

/** ∵ and a reason that the server gives. Nothing else carries this sign. */
export const Because = ({ children, className }: { children: ReactNode; className?: string }) => (
  <p className={cx('flex items-start gap-2 text-sm text-ink-2', className)}>
    <svg viewBox="0 0 12 12" aria-hidden="true" className="mt-1 size-3 shrink-0">
      <circle cx="2.2" cy="3" r="1.6" fill="var(--accent)" />
      <circle cx="9.8" cy="3" r="1.6" fill="var(--accent)" />
      <circle cx="6" cy="9" r="1.6" fill="var(--accent)" />
    </svg>
    <span className="min-w-0">{children}</span>
  </p>
)

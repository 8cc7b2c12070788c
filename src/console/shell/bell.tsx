import { Bell as BellIcon } from 'lucide-react'
import { Link } from 'wouter'
import { useRead } from '../api/queries'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'

const LOOK_MS = 60_000

/** The way to the notices, with a dot while one is unread. */
export function Bell({ className }: { className?: string }) {
  const t = useText('common')
  const unread = useRead('/dashboard/notifications/unread-count', {}, { every: LOOK_MS })
  const count = unread.data?.count ?? 0
  return (
    <Link
      href="/account/notices"
      title={t.notices}
      className={cx(
        'relative inline-flex size-7 shrink-0 items-center justify-center rounded-inner text-ink-2 hover:bg-hover max-md:size-9',
        className,
      )}
    >
      <BellIcon aria-hidden className="size-4 max-md:size-4.5" />
      <span className="sr-only">
        {t.notices} {count > 0 ? count : ''}
      </span>
      {count > 0 && (
        <span
          aria-hidden
          className="absolute top-1 right-1 size-2 rounded-full bg-accent max-md:top-2 max-md:right-2"
        />
      )}
    </Link>
  )
}

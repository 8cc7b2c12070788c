import { useRead } from '../../../api/queries'
import { cx } from '../../../lib/class-names'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { StoreName } from './model'

/** Notifications by half hour of the last day, and how late they arrive. */
export function Arrivals({ store }: { store: StoreName }) {
  const t = useText('connections')
  const { path } = useProject()
  const read = useRead('/dashboard/projects/{projectId}/overview', { params: { path } })
  const found = read.data?.stores.find((one) => one.store === store)
  if (!found || found.halfHours.every((count) => count === 0)) return null
  const most = Math.max(...found.halfHours)
  const sum = found.halfHours.reduce((total, count) => total + count, 0)
  return (
    <figure className="grid gap-1 pb-2">
      <div aria-hidden className="flex h-6 items-end gap-px">
        {found.halfHours.map((count, index) => (
          <span
            key={index}
            className={cx('min-w-0 flex-1 rounded-t-[1px]', count === 0 ? 'bg-track' : 'bg-d2')}
            style={{ height: `${Math.max(8, (count / most) * 100)}%` }}
          />
        ))}
      </div>
      <figcaption className="text-xs text-ink-2">
        {t.notifications24h(sum)}
        {found.medianDelayMs !== null && `, ${t.medianDelay((found.medianDelayMs / 1000).toFixed(1))}`}
      </figcaption>
    </figure>
  )
}

import { Link } from 'wouter'
import { Bar } from '../../../kit/bar'
import { useHref } from '../../../parts/use-href'
import { useText } from '../../../text/catalogue'
import { type Progress, useProgress } from './use-waiting'

/** Says on the list of products that purchases wait for one, and how far they are linked. */
export function WaitingNotice() {
  const t = useText('catalogue')
  const href = useHref()
  const progress = useProgress()
  if (!progress) return null
  return (
    <>
      {progress.missing > 0 && (
        <p
          role="status"
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-card border border-line bg-warn-soft px-4 py-2 text-sm"
        >
          <span className="text-warn">{t.waitFor(progress.missing)}</span>
          <Link href={href('/catalogue/waiting')} className="text-accent underline">
            {t.lookAtWaiting}
          </Link>
        </p>
      )}
      <Linking progress={progress} />
    </>
  )
}

/** How far the purchases are linked, while they are. */
export function Linking({ progress: { left, total } }: { progress: Progress }) {
  const t = useText('catalogue')
  if (left === 0) return null
  return (
    <div role="status" className="grid gap-2 rounded-card border border-line bg-surface px-4 py-2 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{t.linking(left)}</span>
        {total > left && <span className="text-ink-2">{t.linkingOf(total - left, total)}</span>}
      </p>
      <Bar share={(total - left) / total} label={t.linking(left)} />
    </div>
  )
}

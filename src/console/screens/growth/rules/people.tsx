import { Link } from 'wouter'
import { Failure } from '../../../kit/failure'
import { Count } from '../../../kit/values'
import { useProject, useReadOnly } from '../../../lib/session'
import { useNameByKeys } from '../../../parts/person-link'
import { useText } from '../../../text/catalogue'
import type { Rules } from './model'
import { usePreview } from './use-preview'

/** How many people rules match now, and some of them. */
export function PeoplePreview({ rules }: { rules: Rules }) {
  const t = useText('growth')
  const nameOf = useNameByKeys()
  const { base } = useProject()
  const reason = useReadOnly()
  const { data, error, refetch, isFetching } = usePreview(rules)
  if (reason !== null) return <p className="text-sm text-ink-2">{reason}</p>
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  const { matching = 0, total = 0, sample = [] } = data ?? {}
  const share = total > 0 ? Math.min(1, matching / total) : 0
  return (
    <div className="grid gap-3" aria-live="polite" aria-busy={isFetching && !data}>
      <p>
        <span className="text-2xl font-medium tracking-[-0.022em]">
          <Count value={data ? matching : null} />
        </span>{' '}
        <span className="text-sm text-ink-2">{t.ofPeople(total)}</span>
      </p>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-track">
        <div className="h-full bg-d1" style={{ width: `${share * 100}%` }} />
      </div>
      {total >= 2000 && <p className="text-xs text-ink-2">{t.estimated}</p>}
      {sample.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {sample.map(({ id, deviceKey, appUserId }) => (
            <li key={id} className="truncate">
              <Link href={`${base}/subscribers/${id}`} className="text-accent hover:underline">
                <bdi>{nameOf({ id, appUserId, deviceKey })}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

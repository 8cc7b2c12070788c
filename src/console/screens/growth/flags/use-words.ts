import { useEvery } from '../../../api/every'
import { formatNumber } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { percentOf } from '../percent'
import type { Words } from './words'

/** Two shares that differ must not read the same: a change that cannot be seen is not reviewed. */
const MOST_DIGITS = 10

export function useAudiences() {
  const { path } = useProject()
  return useEvery('/dashboard/projects/{projectId}/audiences', { params: { path, query: { limit: 200 } } })
}

/** What it takes to say a flag in words. */
export function useWords(): Words & { audiences: ReturnType<typeof useAudiences>['items'] } {
  const t = useText('growth')
  const reading = useReading()
  const { items: audiences } = useAudiences()
  return {
    t,
    audiences,
    audienceName: (id) => audiences.find((audience) => audience.id === id)?.name ?? t.missingAudience,
    percent: (share) => `${formatNumber(reading, percentOf(share), MOST_DIGITS)} %`,
  }
}

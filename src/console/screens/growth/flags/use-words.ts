import { useEvery } from '../../../api/every'
import { formatNumber } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { Words } from './words'

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
    percent: (share) => `${formatNumber(reading, share * 100, 2)} %`,
  }
}

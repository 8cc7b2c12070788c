import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRead } from '../api/queries'
import { LinkButton } from '../kit/button'
import { useProject } from '../lib/session'
import { useText } from '../text/catalogue'

const DRIFT = '/dashboard/projects/{projectId}/project-file/drift'

/** A quiet line on every screen of a project that is kept in a file: it differs from the file. */
export function FileDriftNotice() {
  const t = useText('common')
  const { base, path } = useProject()
  const client = useQueryClient()
  const drift = useRead(DRIFT, { params: { path } }, { every: 30_000 })
  useEffect(() => {
    const cache = client.getMutationCache()
    return cache.subscribe(({ mutation }) => {
      if (mutation?.state.status === 'success') void client.invalidateQueries({ queryKey: [DRIFT] })
    })
  }, [client])
  const count = drift.data?.count ?? 0
  if (count === 0) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-warn-soft px-6 py-1 text-sm max-md:px-4"
    >
      <span className="min-w-0">{t.drifted(count)}</span>
      <LinkButton href={`${base}/settings/project-file?view=drift`}>{t.showDrift}</LinkButton>
    </div>
  )
}

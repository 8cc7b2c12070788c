import { useMemo } from 'react'
import { useEvery } from '../../../api/every'
import { useProject } from '../../../lib/session'
import { type FunnelFiles, toFiles } from './files'

/** Reads the pictures and fonts of the project. */
export function useFiles(): FunnelFiles {
  const { path } = useProject()
  const assets = useEvery('/dashboard/projects/{projectId}/assets', { params: { path, query: { limit: 200 } } })
  const families = useEvery('/dashboard/projects/{projectId}/fonts/families', { params: { path } })
  const isRead = !assets.isLoading && !families.isLoading && !assets.error && !families.error
  return useMemo(() => toFiles(assets.items, families.items, isRead), [assets.items, families.items, isRead])
}

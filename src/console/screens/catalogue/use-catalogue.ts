import { useEvery } from '../../api/every'
import { useProject } from '../../lib/session'

/** The lists that the catalogue's screens choose from. Each is short enough to be read whole. */
export function useProducts() {
  const { path } = useProject()
  return useEvery('/dashboard/projects/{projectId}/products', { params: { path, query: { limit: 200 } } })
}

export function useAccess() {
  const { path } = useProject()
  return useEvery('/dashboard/projects/{projectId}/access', { params: { path, query: { limit: 200 } } })
}

export function useOfferings() {
  const { path } = useProject()
  return useEvery('/dashboard/projects/{projectId}/offerings', { params: { path, query: { limit: 200 } } })
}

export function useCurrencies() {
  const { path } = useProject()
  return useEvery('/dashboard/projects/{projectId}/virtual-currencies', { params: { path, query: { limit: 200 } } })
}

export const FILE = '/dashboard/projects/{projectId}/project-file'

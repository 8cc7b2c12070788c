import { Redirect } from 'wouter'
import { useRead } from '../api/queries'
import { makeStore } from '../lib/store'
import { Broken } from './screen-boundary'

const KEY = 'svc.project'

/** The project that was looked at last on this machine. */
export const lastProject = makeStore<string | null>(localStorage.getItem(KEY))
lastProject.subscribe(() => {
  const slug = lastProject.get()
  if (slug !== null) localStorage.setItem(KEY, slug)
})

/** `/`: the project of the last time, the only one, or the list of all. */
export function Home() {
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 200 } } })
  const last = lastProject.use()
  if (projects.error && !projects.data) return <Broken error={projects.error} onRetry={() => void projects.refetch()} />
  if (!projects.data) return null
  const { items } = projects.data
  const here = items.find(({ slug }) => slug === last) ?? (items.length === 1 ? items[0] : undefined)
  return <Redirect to={here ? `/p/${here.slug}/overview` : '/projects'} replace />
}

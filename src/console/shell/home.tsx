import { Redirect } from 'wouter'
import { useRead } from '../api/queries'
import { makeStore } from '../lib/store'
import { Broken } from './screen-boundary'

/** `/`: continues to the screen that a person most likely wants. */
export function Home() {
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 200 } } })
  if (projects.error && !projects.data) return <Broken error={projects.error} onRetry={() => void projects.refetch()} />
  return projects.data ? <Redirect to={homeOf(projects.data.items)} replace /> : null
}

const KEY = 'svc.project'

/** The project that was looked at last on this machine. */
export const lastProject = makeStore<string | null>(localStorage.getItem(KEY))
lastProject.subscribe(() => {
  const slug = lastProject.get()
  if (slug !== null) localStorage.setItem(KEY, slug)
})

/** Where `/` leads: to the project of the last time, the only one, or the list of all. */
export function homeOf(projects: readonly { slug: string }[]): string {
  const last = lastProject.get()
  const here = projects.find(({ slug }) => slug === last) ?? (projects.length === 1 ? projects[0] : undefined)
  return here ? `/p/${here.slug}/overview` : '/projects'
}

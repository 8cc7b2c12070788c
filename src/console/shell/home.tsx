import { Redirect } from 'wouter'
import { useRead } from '../api/queries'
import { homeOf } from './home-of'
import { Broken } from './screen-boundary'

/** `/`: goes on to the screen that a person most likely wants. */
export function Home() {
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 200 } } })
  if (projects.error && !projects.data) return <Broken error={projects.error} onRetry={() => void projects.refetch()} />
  return projects.data ? <Redirect to={homeOf(projects.data.items)} replace /> : null
}

import { Link, useLocation, useSearch } from 'wouter'
import type { Source } from '../api/queries'
import { useRead } from '../api/queries'
import { useText } from '../text/catalogue'

type Environment = 'PRODUCTION' | 'SANDBOX'

const other = (one: Environment): Environment => (one === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX')

const environmentOf = ({ params }: Source): Environment | undefined =>
  params.query?.environment as Environment | undefined

/** Under a list of one environment that is empty: whether the other one has rows, and the way to them. */
export function Elsewhere({ source }: { source: Source | undefined }) {
  const environment = source && environmentOf(source)
  return source && environment ? <Looked source={source} environment={environment} /> : null
}

function Looked({ source: { path, params }, environment }: { source: Source; environment: Environment }) {
  const query = { ...params.query, environment: other(environment), limit: 1 }
  const { data } = useRead(path as '/dashboard/projects/{projectId}/events', {
    params: { ...params, query } as never,
  })
  return (data?.items.length ?? 0) > 0 ? <WayThere to={other(environment)} /> : null
}

function WayThere({ to }: { to: Environment }) {
  const t = useText('common')
  const [path] = useLocation()
  const next = new URLSearchParams(useSearch())
  next.set('env', to.toLowerCase())
  return (
    <p role="status" className="px-4 pb-10 text-center text-sm text-ink-2">
      {to === 'SANDBOX' ? t.onlyInSandbox : t.onlyInProduction}{' '}
      <Link href={`${path}?${next}`} className="text-accent underline">
        {to === 'SANDBOX' ? t.lookAtSandbox : t.lookAtProduction}
      </Link>
    </p>
  )
}

import { Link, useLocation, useSearch } from 'wouter'
import { useRead } from '../api/queries'
import { useProject } from '../lib/session'
import { useText } from '../text/catalogue'

/** Whether what a screen of production shows is empty because everything was bought in the sandbox. */
export function useSandboxAlone(isEmpty: boolean): boolean {
  const { path, environment } = useProject()
  const isAsked = isEmpty && environment === 'PRODUCTION'
  const newest = (one: 'PRODUCTION' | 'SANDBOX') => ({ params: { path, query: { environment: one, limit: 1 } } })
  const lines = '/dashboard/projects/{projectId}/transactions'
  const sandbox = useRead(lines, newest('SANDBOX'), { enabled: isAsked })
  const production = useRead(lines, newest('PRODUCTION'), { enabled: isAsked })
  const hasNone = production.data?.items.length === 0 && production.data.nextCursor === null
  return isAsked && hasNone && (sandbox.data?.items.length ?? 0) > 0
}

/** Says that purchases of the sandbox are left out, and leads to the same screen with them. */
export function SandboxNote() {
  const t = useText('common')
  const [path] = useLocation()
  const next = new URLSearchParams(useSearch())
  next.set('env', 'sandbox')
  return (
    <span className="text-sm text-ink-2">
      {t.sandboxAlone}{' '}
      <Link href={`${path}?${next}`} className="text-accent underline">
        {t.lookAtSandbox}
      </Link>
    </span>
  )
}

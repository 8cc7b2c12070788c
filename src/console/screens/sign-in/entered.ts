import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { queries, readAhead } from '../../api/queries'
import { warm } from '../../lib/warm'
import { load } from '../../text/catalogue'

/**
 * Goes on after a sign-in: nothing that was read before it, as somebody else or as nobody, is kept. The code of the
 * overview is fetched while the person still types, and what every screen reads first is asked for in one go.
 */
export function useEntered(): (path: string) => void {
  const [, go] = useLocation()
  useEffect(() => {
    warm('/p/any/overview')
    load('overview').catch(() => {})
  }, [])
  return (path) => {
    queries.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('/dashboard') })
    // After a sign-up whose password is not that of the account, the way leads to the sign-in, and nobody may read.
    if (!path.startsWith('/sign-in')) readWhatComesFirst()
    go(path, { replace: true })
  }
}

function readWhatComesFirst(): void {
  readAhead('/dashboard/me', {})
  readAhead('/dashboard/me/preferences', {})
  readAhead('/dashboard/projects', { params: { query: { limit: 200 } } })
}

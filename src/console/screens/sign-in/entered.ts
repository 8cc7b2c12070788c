import { useLocation } from 'wouter'
import { queries } from '../../api/queries'

/** Goes on after a sign-in: nothing that was read before it, as somebody else or as nobody, is kept. */
export function useEntered(): (path: string) => void {
  const [, go] = useLocation()
  return (path) => {
    queries.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('/dashboard') })
    go(path, { replace: true })
  }
}

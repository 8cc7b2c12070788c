import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { queries } from '../../api/queries'
import { warmFormats } from '../../lib/format'
import { warm } from '../../lib/warm'
import { readFirst } from '../../shell/read-first'

/** So long the sign-in stays for what is read first; then the screens wait for it themselves. */
const LONGEST_MS = 1000

/**
 * Goes on after a sign-in: nothing that was read before it, as somebody else or as nobody, is kept. The overview is made
 * ready while the person still types, and what is read first is there when the sign-in is left.
 */
export function useEntered(): (path: string) => void {
  const [, go] = useLocation()
  useEffect(() => {
    warm('/p/any/overview')
    return whenIdle(() => warmFormats(document.documentElement.lang))
  }, [])
  return async (path) => {
    queries.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('/dashboard') })
    // After a sign-up whose password is not that of the account, the way leads to the sign-in, and nobody may read.
    const isIn = !path.startsWith('/sign-in')
    go(isIn ? await Promise.race([readFirst(path).catch(() => path), after(LONGEST_MS, path)]) : path, {
      replace: true,
    })
  }
}

const after = <T>(ms: number, value: T): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(value), ms))

function whenIdle(act: () => void): () => void {
  const timer = setTimeout(act, 100)
  return () => clearTimeout(timer)
}

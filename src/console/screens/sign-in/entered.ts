import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { queries } from '../../api/queries'
import { warmFormats } from '../../lib/format'
import { warm } from '../../lib/warm'
import { readFirst } from '../../shell/read-first'

/** The longest wait of the sign-in for the first reads; then the screens wait for them. */
const LONGEST_MS = 1000

/**
 * Returns a function that continues at a path after a sign-in. It drops all cached answers, because they were read
 * without this session. The code of the overview is loaded while the person still types, and the first answers of the
 * next screen are read before it opens, for at most `LONGEST_MS`.
 */
export function useEntered(): (path: string) => void {
  const [, go] = useLocation()
  useEffect(() => {
    warm('/p/any/overview')
    return whenIdle(() => warmFormats(document.documentElement.lang))
  }, [])
  return async (path) => {
    queries.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('/dashboard') })
    // After a sign-up whose password is not that of the account, the way leads to the sign-in, and nothing may be read.
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

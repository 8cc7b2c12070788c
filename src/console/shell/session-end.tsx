import { lazy, Suspense, useEffect } from 'react'
import { sessionEnded } from '../api/session-end'
import { Boundary } from '../kit/card'
import { fetchPart } from './server-state'

const load = () => import('./sign-in-again')
const SignInAgain = lazy(() => fetchPart(load))

const FETCH_AFTER_MS = 5000

/** Asks to sign in on top of the screen after the session has ended. */
export function SessionEnd() {
  const isEnded = sessionEnded.use()
  useEffect(() => {
    // It is needed when the server may be another one already, so it is fetched before.
    const timer = setTimeout(() => void load().catch(() => {}), FETCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isEnded) return null
  return (
    <Boundary>
      <Suspense>
        <SignInAgain />
      </Suspense>
    </Boundary>
  )
}

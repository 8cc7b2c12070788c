import { type ReactNode, useEffect } from 'react'
import { Redirect, useLocation } from 'wouter'
import { ApiFailure } from '../api/failure'
import { useRead } from '../api/queries'
import { personHere } from '../api/session-end'
import { keepDraftsOf } from '../kit/draft'
import { SessionContext } from '../lib/session'
import { setLocale } from '../text/catalogue'
import { Notices } from './notices'
import { Broken } from './screen-boundary'
import { SessionEnd } from './session-end'
import { setTheme } from './theme'

/** Lets only a signed-in person through. Others go to the sign-in and come back to this address afterwards. */
export function Gate({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const me = useRead('/dashboard/me', {})
  const preferences = useRead('/dashboard/me/preferences', {}, { enabled: me.isSuccess })
  // Before a screen reads its draft.
  if (me.data) keepDraftsOf(me.data.id)
  useEffect(() => {
    if (!me.data) return
    const before = personHere.get()
    // Another person has signed in, in another tab: nothing that this page has read is theirs.
    if (before !== null && before !== me.data.id) return location.reload()
    personHere.set(me.data.id)
  }, [me.data])
  useEffect(() => {
    if (!preferences.data) return
    setLocale(preferences.data.locale)
    setTheme(preferences.data.theme)
  }, [preferences.data])
  if (me.error instanceof ApiFailure && me.error.status === 401 && !me.data) {
    return <Redirect to={`/sign-in?next=${encodeURIComponent(path + location.search)}`} replace />
  }
  const error = me.error ?? preferences.error
  if (error && (!me.data || !preferences.data)) {
    return (
      <main className="mx-auto max-w-md">
        <Broken error={error} onRetry={() => void Promise.all([me.refetch(), preferences.refetch()])} />
      </main>
    )
  }
  if (!me.data || !preferences.data) return <Notices />
  return (
    <SessionContext.Provider value={{ me: me.data, preferences: preferences.data }}>
      {children}
      <SessionEnd />
    </SessionContext.Provider>
  )
}

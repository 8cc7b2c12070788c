import { lazy, Suspense, useEffect, useState } from 'react'
import { sessionEnded } from '../api/session-end'
import { Boundary } from '../kit/card'
import { fetchPart } from './server-state'
import { useShortcuts } from './shortcuts'

const loadSignIn = () => import('./sign-in-again')
const Palette = lazy(() => fetchPart(() => import('./palette')))
const ShortcutList = lazy(() => fetchPart(() => import('./shortcut-list')))
const SignInAgain = lazy(() => fetchPart(loadSignIn))

/** What stands above every screen: the palette, the list of shortcuts, the sign-in after a session has ended. */
export function Overlays() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const isEnded = sessionEnded.use()
  useShortcuts(setOpen)
  useEffect(() => {
    // It is needed when the server may be another one already, so it is fetched before.
    const timer = setTimeout(() => void loadSignIn().catch(() => {}), 5000)
    return () => clearTimeout(timer)
  }, [])
  const close = () => setOpen(null)
  return (
    <Boundary>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} onKeys={() => setOpen('keys')} />}
        {open === 'keys' && <ShortcutList onClose={close} />}
        {isEnded && <SignInAgain />}
      </Suspense>
    </Boundary>
  )
}

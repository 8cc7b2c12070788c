import { lazy, Suspense, useState } from 'react'
import { Boundary } from '../kit/card'
import { fetchPart } from './server-state'
import { useShortcuts } from './shortcuts'

const Palette = lazy(() => fetchPart(() => import('./palette')))
const ShortcutList = lazy(() => fetchPart(() => import('./shortcut-list')))

/** What stands above every screen with a frame: the palette, and the list of shortcuts. */
export function Overlays() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  useShortcuts(setOpen)
  const close = () => setOpen(null)
  return (
    <Boundary>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} onKeys={() => setOpen('keys')} />}
        {open === 'keys' && <ShortcutList onClose={close} />}
      </Suspense>
    </Boundary>
  )
}

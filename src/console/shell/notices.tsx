import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Button } from '../kit/button'
import { useReadOnly } from '../lib/session'
import { useText } from '../text/catalogue'
import { serverState } from './server-state'

/** A quiet line above the screen: the server is away, or a newer console is there. */
export function Notices() {
  const t = useText('common')
  const state = serverState.use()
  const isOnline = useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    () => onlineManager.isOnline(),
  )
  if (state === 'newer') {
    return (
      <div
        role="status"
        className="flex items-center justify-between gap-4 border-b border-line bg-accent-soft px-6 py-1.5 text-sm"
      >
        {t.newVersion}
        <Button onClick={() => location.reload()}>{t.reload}</Button>
      </div>
    )
  }
  if (state === 'ok' && isOnline) return null
  return (
    <p role="status" className="border-b border-line bg-warn-soft px-6 py-1.5 text-sm text-warn">
      {t.serverAway}
    </p>
  )
}

/** On every screen of a project that is read for support. */
export function SupportNotice() {
  const reason = useReadOnly()
  return (
    reason !== null && <p className="border-b border-line bg-accent-soft px-6 py-1 text-sm max-md:px-4">{reason}</p>
  )
}

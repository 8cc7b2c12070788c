import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../api/queries'
import { Confirm } from '../kit/dialog'
import { toast } from '../kit/toast'

interface RemovalProps {
  title: string
  /** The words on the button, if they are not the title. */
  word?: string
  /** What must be typed before. */
  typed?: string
  /** Why it is not possible, or null. */
  reason?: string | null
  /** The message afterwards. */
  done: string
  run: () => Promise<unknown>
  /** The paths whose answers change. */
  refreshes: readonly string[]
  /** The screen afterwards; without it, the dialog closes. */
  next?: string
  onClose: () => void
  /** The consequences. */
  children: ReactNode
}

/** A confirmation dialog for one call, such as one that removes or ends something. */
export function Removal({ title, word = title, done, run, refreshes, next, onClose, ...shown }: RemovalProps) {
  const [, navigate] = useLocation()
  const action = useAction({
    run,
    refreshes,
    onDone: () => {
      if (next === undefined) onClose()
      else navigate(next)
      toast(done)
    },
  })
  return (
    <Confirm
      {...shown}
      title={title}
      action={word}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    />
  )
}

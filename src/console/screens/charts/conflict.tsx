import { type ReactNode, useEffect } from 'react'
import { useRefresh } from '../../api/queries'
import { Button } from '../../kit/button'
import { Dialog } from '../../kit/dialog'
import { FormFailure } from '../../kit/failure'
import { useText } from '../../text/catalogue'

interface ConflictProps {
  error: Error | null
  /** The path whose answers are old now. */
  refreshes: string
  onLoad: () => void
  onOverwrite: () => void
  onClose: () => void
  /** The version of the server. */
  children?: ReactNode
}

/** Another person has changed the object meanwhile: load their version, or replace it. */
export function Conflict({ error, refreshes, onLoad, onOverwrite, onClose, children }: ConflictProps) {
  const common = useText('common')
  const refresh = useRefresh()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest is fetched once, when the dialog opens
  useEffect(() => refresh(refreshes), [])
  return (
    <Dialog title={common.changedMeanwhile} onClose={onClose}>
      <p className="text-sm text-ink-2">{common.changedMeanwhileHint}</p>
      <FormFailure error={error} />
      {children}
      <div className="flex justify-end gap-2 pt-2">
        <Button data-first onClick={onLoad}>
          {common.loadTheirs}
        </Button>
        <Button variant="danger" onClick={onOverwrite}>
          {common.overwrite}
        </Button>
      </div>
    </Dialog>
  )
}

import { useState } from 'react'
import { useAction } from '../../../api/queries'
import { toast } from '../../../kit/toast'
import { useText } from '../../../text/catalogue'
import { newerRevision } from './conflict'

interface SheetEditOptions<S, D> {
  /** As it is at the server now; it changes under the form when somebody else saves. Null for what is new. */
  saved: S
  draftOf: (saved: S) => D
  save: (draft: D, begun: S, revision: number) => Promise<unknown>
  refreshes: readonly string[]
  onClose: () => void
}

/** A form of a sheet: its draft, its saving, and what happens when somebody else was faster. */
export function useSheetEdit<S extends { revision: number } | null, D>(options: SheetEditOptions<S, D>) {
  const { saved, draftOf, save, refreshes, onClose } = options
  const common = useText('common')
  const [begun, setBegun] = useState(saved)
  const [draft, setDraft] = useState(() => draftOf(saved))
  const action = useAction({
    run: (revision: number) => save(draft, begun, revision),
    refreshes,
    onDone: () => {
      toast(common.saved)
      onClose()
    },
  })
  const load = () => {
    setBegun(saved)
    setDraft(draftOf(saved))
    action.reset()
  }
  return {
    draft,
    setDraft,
    begun,
    busy: action.busy,
    error: newerRevision(action.error) === null ? action.error : null,
    submit: () => action.submit(begun?.revision ?? 0),
    conflict: { error: action.error, onLoad: load, onOverwrite: action.submit },
  }
}

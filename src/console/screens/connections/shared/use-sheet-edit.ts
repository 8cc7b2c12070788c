import { useState } from 'react'
import { useAction } from '../../../api/queries'
import { newerRevision } from '../../../api/revision'
import { toast } from '../../../kit/toast'
import { useText } from '../../../text/catalogue'

interface SheetEditOptions<S, D, R> {
  /** The version of the server; it changes under the form when another person saves. Null for a new object. */
  saved: S
  draftOf: (saved: S) => D
  save: (draft: D, begun: S, revision: number) => Promise<R>
  /** What the person calls that which was saved. */
  nameOf: (answer: R) => string
  refreshes: readonly string[]
  onClose: () => void
}

/** A form of a sheet: its draft, its saving, and the conflict when another person was faster. */
export function useSheetEdit<S extends { revision: number } | null, D, R>(options: SheetEditOptions<S, D, R>) {
  const { saved, draftOf, save, nameOf, refreshes, onClose } = options
  const common = useText('common')
  const [begun, setBegun] = useState(saved)
  const [draft, setDraft] = useState(() => draftOf(saved))
  const action = useAction({
    run: (revision: number) => save(draft, begun, revision),
    refreshes,
    onDone: (answer) => {
      toast(common.savedName(nameOf(answer)))
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

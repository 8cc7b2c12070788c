import { useState } from 'react'
import { ApiFailure } from '../api/failure'
import { useAction, useRefresh } from '../api/queries'
import { type Change, changesBetween, type Line } from './changes'
import { type Draft, type Saved, useDraft } from './draft'

/** The header of a change that must not overwrite another one. */
export type IfMatch = Record<'If-Match', string> | Record<never, never>

const ifMatchOf = (revision: number | null): IfMatch => (revision === null ? {} : { 'If-Match': `"${revision}"` })

interface EditOptions<T, R> {
  /** Names the object among the drafts of the tab. */
  name: string
  saved: Saved<T>
  /** The object in words. */
  lines: (value: T) => Line[]
  /** Leaves out of the changes what would be there twice. */
  tidy?: (changes: Change[], before: T, after: T) => Change[]
  save: (value: T, header: IfMatch, base: T) => Promise<R>
  /** The object as it is now, after a conflict. */
  readNewest?: () => Promise<Saved<T>>
  refreshes: readonly string[]
  onSaved?: (result: R) => void
}

/** The version that another person saved while this draft was edited. */
export interface Conflict<T> {
  theirs: Saved<T>
  by: string | null
  at: string | null
}

export interface Edit<T> {
  draft: Draft<T>
  changes: Change[]
  lines: (value: T) => Line[]
  save: () => void
  busy: boolean
  error: Error | null
  conflict: Conflict<T> | null
  loadTheirs: () => void
  overwrite: () => void
  closeConflict: () => void
}

/** Draft, saving with the revision, and what to do when another person was faster. */
export function useEdit<T, R>(options: EditOptions<T, R>): Edit<T> {
  const { name, saved, lines, save, readNewest, refreshes, onSaved, tidy } = options
  const draft = useDraft(name, saved)
  const refresh = useRefresh()
  const [conflict, setConflict] = useState<Conflict<T> | null>(null)
  const showConflict = async (error: Error) => {
    const newer = newerOf(error)
    if (!newer || !readNewest) return
    setConflict({ theirs: await readNewest(), ...newer })
  }
  const action = useAction({
    run: ({ value, revision }: Saved<T>) => save(value, ifMatchOf(revision), draft.base.value),
    refreshes,
    onDone: (result, { value }) => {
      setConflict(null)
      draft.settle(revisionOf(result), value)
      onSaved?.(result)
    },
    onFailure: (error) => void showConflict(error).catch(() => {}),
  })
  const [before, after] = [draft.base.value, draft.value]
  const all = draft.isChanged ? changesBetween(lines(before), lines(after)) : []
  const changes = tidy ? tidy(all, before, after) : all
  return {
    draft,
    lines,
    changes,
    save: () => action.submit({ value: draft.value, revision: draft.base.revision }),
    busy: action.busy,
    error: conflict ? null : action.error,
    conflict,
    closeConflict: () => setConflict(null),
    overwrite: () => conflict && action.submit({ value: draft.value, revision: conflict.theirs.revision }),
    loadTheirs: () => {
      setConflict(null)
      action.reset()
      draft.discard()
      refresh(...refreshes)
    },
  }
}

/** The revision of the object that a call answered with. */
function revisionOf(result: unknown): number | null {
  const revision = result !== null && typeof result === 'object' && 'revision' in result ? result.revision : null
  return typeof revision === 'number' ? revision : null
}

/** Who changed the object meanwhile; null when the refusal is about something else. */
function newerOf(error: Error): { by: string | null; at: string | null } | null {
  if (!(error instanceof ApiFailure) || error.code !== 'CONFLICT') return null
  const { revision, updatedBy, updatedAt } = error.details
  if (typeof revision !== 'number') return null
  return { by: textOrNull(updatedBy), at: textOrNull(updatedAt) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

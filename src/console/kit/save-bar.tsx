import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { commandKeys } from '../lib/keys'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { ConflictDialog } from './conflict'
import { Dialog } from './dialog'
import type { Edit } from './edit'
import { FormFailure } from './failure'
import { focusUnreadable } from './form'

interface SaveBarProps<T> {
  edit: Edit<T>
  /** What saving starts with, when it is more than the call: a review. */
  onSave?: () => void
  label?: string
  reason?: string | null
  /** What else there is to know about the object, before the buttons. */
  notes?: ReactNode
  /** The button of the step after saving. With it, the bar is also shown when nothing is unsaved. */
  next?: ReactNode
}

/** The bar of an edit screen: how many changes, the first of them in words, discard and save (⌘S). Leaving asks. */
export function SaveBar<T>({ edit, onSave = edit.save, label, reason = null, notes, next }: SaveBarProps<T>) {
  const t = useText('common')
  const { changes, draft } = edit
  const save = () => {
    if (reason !== null || focusUnreadable(document)) return
    onSave()
  }
  useSaveKey(draft.isChanged, save)
  return (
    <>
      <ConflictDialog edit={edit} />
      <LeaveGuard isChanged={draft.isChanged} onLeave={draft.discard} />
      {(draft.isChanged || next !== undefined) && (
        <section
          aria-label={draft.isChanged ? t.unsaved(changes.length) : t.saved}
          className="sticky bottom-4 z-20 mx-auto grid w-full max-w-220 grid-cols-[minmax(0,1fr)] gap-2 rounded-card border border-line-2 bg-raised p-3 shadow-float"
        >
          <FormFailure error={edit.error} />
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 flex-1 basis-48 truncate text-sm text-ink-2" role="status">
              {draft.isChanged ? (
                <>
                  <span aria-hidden className="mr-2 inline-block size-2 rounded-full bg-accent" />
                  <b className="font-semibold text-ink">{t.changeCount(changes.length)}</b> {inWords(changes)}
                </>
              ) : (
                t.saved
              )}
            </p>
            {notes}
            <div className="flex flex-wrap gap-2">
              {draft.isChanged && (
                <>
                  <Button variant="quiet" onClick={draft.discard}>
                    {t.discard}
                  </Button>
                  <Button
                    variant={next === undefined ? 'primary' : 'plain'}
                    onClick={save}
                    busy={edit.busy}
                    reason={reason}
                  >
                    {label ?? t.save}
                    <kbd className="rounded-chip border border-current px-1 font-sans text-2xs max-md:hidden">
                      {commandKeys('S')}
                    </kbd>
                  </Button>
                </>
              )}
              {next}
            </div>
          </div>
        </section>
      )}
    </>
  )
}

const inWords = ([first]: Edit<unknown>['changes']): string =>
  first ? `${first.label}: ${first.before ?? '—'} → ${first.after ?? '—'}` : ''

function useSaveKey(isOn: boolean, save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.altKey) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}

/** Asks before a link leads away from changes that are not saved. */
function LeaveGuard({ isChanged, onLeave }: { isChanged: boolean; onLeave: () => void }) {
  const t = useText('common')
  const [, navigate] = useLocation()
  const [target, setTarget] = useState<string | null>(null)
  useEffect(() => {
    if (!isChanged) return
    const onClick = (event: MouseEvent) => {
      const href = leavingTo(event)
      if (href === null) return
      event.preventDefault()
      event.stopPropagation()
      setTarget(href)
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('click', onClick, true)
    addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('click', onClick, true)
      removeEventListener('beforeunload', onUnload)
    }
  }, [isChanged])
  if (target === null) return null
  const leave = () => {
    onLeave()
    setTarget(null)
    navigate(target)
  }
  return (
    <Dialog title={t.leaveUnsaved} onClose={() => setTarget(null)}>
      <div className="flex justify-end gap-2">
        <Button data-first onClick={() => setTarget(null)}>
          {t.stay}
        </Button>
        <Button variant="danger" onClick={leave}>
          {t.leave}
        </Button>
      </div>
    </Dialog>
  )
}

/** The address of another screen that a click in this tab leads to. */
function leavingTo(event: MouseEvent): string | null {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return null
  const link = (event.target as Element | null)?.closest<HTMLAnchorElement>('a[href]')
  if (!link || link.target === '_blank' || link.hasAttribute('download') || link.origin !== location.origin) return null
  return link.pathname === location.pathname ? null : `${link.pathname}${link.search}`
}

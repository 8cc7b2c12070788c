import { useEffect, useRef } from 'react'
import { Button } from '../../kit/button'
import { useText } from '../../text/catalogue'
import type { ProjectDraft } from './project-draft'
import type { FieldName } from './project-values'

const SHOWN = 4

/** Names the unsaved changes, with the buttons to save or discard them. It is at the lower edge while there are any. */
export function SaveBar({ draft, reason }: { draft: ProjectDraft; reason: string | null }) {
  const c = useText('common')
  const t = useText('settings')
  useSaveKey(draft.changed.length > 0 && reason === null, draft.save)
  if (draft.changed.length === 0) return null
  return (
    <div
      role="region"
      aria-label={c.unsaved(draft.changed.length)}
      className="sticky bottom-3 z-20 grid gap-2 rounded-card border border-line-2 bg-raised px-4 py-3 shadow-float animate-pop"
    >
      <Meanwhile draft={draft} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 text-sm">
          <p className="font-medium">{c.unsaved(draft.changed.length)}</p>
          <Changes draft={draft} />
        </div>
        <div className="flex gap-2">
          <Button onClick={draft.discard}>{c.discard}</Button>
          <Button
            variant="primary"
            onClick={draft.save}
            busy={draft.busy}
            reason={reason ?? (draft.theirs ? t.decideFirst : null)}
          >
            {c.save}
          </Button>
        </div>
      </div>
    </div>
  )
}

function Changes({ draft }: { draft: ProjectDraft }) {
  const labelOf = useFieldLabel()
  const { changed, base, values } = draft
  return (
    <ul className="text-xs text-ink-2">
      {changed.slice(0, SHOWN).map((name) => (
        <li key={name} className="truncate">
          {labelOf(name)}: <s>{shortOf(base[name])}</s> → {shortOf(values[name])}
        </li>
      ))}
      {changed.length > SHOWN && <li>+ {changed.length - SHOWN}</li>}
    </ul>
  )
}

/** Another person changed the project since the form was opened: their changes, and the choice between both. */
function Meanwhile({ draft }: { draft: ProjectDraft }) {
  const c = useText('common')
  const t = useText('settings')
  const labelOf = useFieldLabel()
  if (draft.theirs === null) return null
  return (
    <div role="alert" className="grid gap-2 rounded-control bg-warn-soft px-3 py-2 text-sm">
      <p className="font-medium text-warn">{c.changedMeanwhile}</p>
      <p className="text-ink-2">
        {draft.theirs.length === 0 ? t.changedElsewhere : t.theirChanges(draft.theirs.map(labelOf).join(', '))}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={draft.discard}>{c.loadTheirs}</Button>
        <Button onClick={draft.rebase}>{t.keepMine}</Button>
      </div>
    </div>
  )
}

const MAX_SHOWN = 40

function shortOf(value: string | boolean): string {
  const text = String(value).replaceAll('\n', ', ')
  if (text === '') return '—'
  return text.length > MAX_SHOWN ? `${[...text].slice(0, MAX_SHOWN).join('')}…` : text
}

/** ⌘S and Ctrl S save. */
function useSaveKey(isOn: boolean, save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}

/** The words for a member of a project. */
function useFieldLabel(): (name: FieldName) => string {
  const t = useText('settings')
  const c = useText('common')
  const own: Partial<Record<FieldName, string>> = {
    name: c.name,
    slug: t.slug,
    timezone: t.timezone,
    allowedOrigins: t.allowedOrigins,
    termsUrl: t.termsUrl,
    privacyUrl: t.privacyUrl,
  }
  return (name) => own[name] ?? (name in t.setting ? t.setting[name as keyof typeof t.setting].label : name)
}

import { Plus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { api, read } from '../../../api/client'
import { isConflict } from '../../../api/failure'
import { useAction } from '../../../api/queries'
import { Button, IconButton } from '../../../kit/button'
import { Dialog } from '../../../kit/dialog'
import { TextArea, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { PlainTable } from '../../../kit/table'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { PERSON_PATHS, type Person, usePerson } from '../../../parts/use-person'
import { useWords, type Words } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

interface Draft {
  id: number
  key: string
  value: string
  isNew: boolean
}

const draftOf = ({ attributes }: Person): Draft[] =>
  attributes.map(({ key, value }, id) => ({ id, key, value, isNew: false }))

/** The values to write: changed and new ones, null for removed ones. */
function changesOf(base: Person, draft: readonly Draft[]): Record<string, string | null> {
  const before = new Map(base.attributes.map(({ key, value }) => [key, value]))
  const after = new Map(draft.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]))
  const changes: Record<string, string | null> = {}
  for (const [key, value] of after) if (before.get(key) !== value) changes[key] = value
  for (const key of before.keys()) if (!after.has(key)) changes[key] = null
  return changes
}

/** A value without a name, or a second one of the same name, would be lost when it is saved. */
function faultOf({ key, value, id }: Draft, draft: readonly Draft[], t: Words['t']): string | null {
  const name = key.trim()
  if (name === '') return value === '' ? null : t.keyMissing
  return draft.some((one) => one.id < id && one.key.trim() === name) ? t.keyTwice : null
}

/** All attributes, with what others changed meanwhile shown before it is overwritten. */
export function AttributesSheet({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const c = useText('common')
  const { path, can } = useProject()
  const person = usePerson()
  const [base, setBase] = useState(person)
  const [draft, setDraft] = useState(() => draftOf(person))
  const [theirs, setTheirs] = useState<Person | null>(null)
  const [tries, setTries] = useState(0)
  const params = { path: { ...path, id: person.subscriber.id } }
  const changes = changesOf(base, draft)
  const count = Object.keys(changes).length
  const action = useAction({
    run: (revision: number) =>
      api.patch('/dashboard/projects/{projectId}/subscribers/{id}/attributes', {
        params: { ...params, header: { 'If-Match': `"${revision}"` } },
        body: { attributes: changes },
      }),
    refreshes: PERSON_PATHS,
    onDone: () => {
      toast(t.attributesDone)
      onClose()
    },
    onFailure: (error) => {
      if (!isConflict(error)) return
      void read('/dashboard/projects/{projectId}/subscribers/{id}', { params }).then(setTheirs)
    },
  })
  const load = (next: Person) => {
    setBase(next)
    setDraft(draftOf(next))
    setTheirs(null)
    action.reset()
  }
  const save = (then: () => void) => {
    setTries(tries + 1)
    if (draft.every((one) => faultOf(one, draft, t) === null)) then()
  }
  const mayNot = can('subscribers:write') ? null : c.roleNeeded('DEVELOPER')
  return (
    <Dialog kind="sheet" title={t.attributesTitle} onClose={onClose}>
      {theirs && (
        <Meanwhile
          base={base}
          theirs={theirs}
          changes={changes}
          onLoad={() => load(theirs)}
          onOverwrite={() => save(() => action.submit(theirs.subscriber.revision))}
        />
      )}
      <Form
        onSubmit={() => save(() => (count === 0 ? onClose() : action.submit(base.subscriber.revision)))}
        submit={c.save}
        busy={action.busy}
        error={theirs ? null : action.error}
        onCancel={onClose}
        reason={mayNot}
      >
        <Rows draft={draft} onChange={setDraft} isFixed={mayNot !== null} tries={tries} />
        <p role="status" className="text-xs text-ink-2">
          {count > 0 && c.unsaved(count)}
        </p>
      </Form>
    </Dialog>
  )
}

interface RowsProps {
  draft: readonly Draft[]
  onChange: (draft: Draft[]) => void
  isFixed: boolean
  /** The number of attempts to save: after the first one, faults are shown. */
  tries: number
}

function Rows({ draft, onChange, isFixed, tries }: RowsProps) {
  const { t } = useWords()
  const faults = new Map(tries > 0 ? draft.map((one) => [one.id, faultOf(one, draft, t)]) : [])
  const change = (id: number, next: Partial<Draft>) =>
    onChange(draft.map((one) => (one.id === id ? { ...one, ...next } : one)))
  const add = () =>
    onChange([...draft, { id: Math.max(-1, ...draft.map(({ id }) => id)) + 1, key: '', value: '', isNew: true }])
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tries > 0) place.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [tries])
  return (
    <div ref={place} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {draft.map(({ id, key, value, isNew }) => (
        <div key={id} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-2">
          {isNew ? (
            <NewKey value={key} onChange={(next) => change(id, { key: next })} fault={faults.get(id) ?? null} />
          ) : (
            <span className="truncate pt-2.5 font-mono text-xs" title={key}>
              {key}
            </span>
          )}
          <ValueInput
            label={isNew ? t.value : key}
            isFixed={isFixed}
            value={value}
            onChange={(next) => change(id, { value: next })}
          />
          <IconButton
            label={t.removeAttribute(key)}
            disabled={isFixed}
            onClick={() => onChange(draft.filter((one) => one.id !== id))}
          >
            <X aria-hidden size={14} />
          </IconButton>
        </div>
      ))}
      {!isFixed && (
        <div>
          <Button icon={<Plus aria-hidden size={14} />} onClick={add}>
            {t.addAttribute}
          </Button>
        </div>
      )}
    </div>
  )
}

function NewKey({ value, onChange, fault }: { value: string; onChange: (key: string) => void; fault: string | null }) {
  const { t } = useWords()
  const id = useId()
  return (
    <span className="grid gap-1">
      <TextInput
        aria-label={t.key}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={fault === null ? undefined : id}
        placeholder={t.key}
        maxLength={100}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="font-mono"
      />
      {fault !== null && (
        <span id={id} role="alert" className="text-xs text-bad">
          {fault}
        </span>
      )}
    </span>
  )
}

interface ValueInputProps {
  label: string
  value: string
  isFixed: boolean
  onChange: (value: string) => void
}

/** A field of one line would drop the line breaks of a value that has some. */
function ValueInput({ label, value, isFixed, onChange }: ValueInputProps) {
  const [isLong] = useState(/[\r\n]/.test(value))
  const props = { 'aria-label': label, maxLength: 500, dir: 'auto', readOnly: isFixed, value } as const
  return isLong ? (
    <TextArea {...props} rows={3} onChange={(event) => onChange(event.target.value)} />
  ) : (
    <TextInput {...props} onChange={(event) => onChange(event.target.value)} />
  )
}

interface MeanwhileProps {
  base: Person
  theirs: Person
  changes: Record<string, string | null>
  onLoad: () => void
  onOverwrite: () => void
}

/** Changes of another person since the sheet was opened, and which of them are replaced. */
function Meanwhile({ base, theirs, changes, onLoad, onOverwrite }: MeanwhileProps) {
  const { t } = useWords()
  const c = useText('common')
  const before = new Map(base.attributes.map(({ key, value }) => [key, value]))
  const there = new Map(theirs.attributes.map(({ key, value }) => [key, value]))
  const keys = [...new Set([...before.keys(), ...there.keys(), ...Object.keys(changes)])].filter(
    (key) => before.get(key) !== there.get(key) || key in changes,
  )
  return (
    <section role="alert" className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-control bg-warn-soft p-3">
      <h3 className="font-medium text-warn">{c.changedMeanwhile}</h3>
      <p className="text-sm">{c.changedMeanwhileHint}</p>
      <div className="rounded-inner bg-surface">
        <PlainTable
          keepsColumns
          label={c.changedMeanwhile}
          rows={keys}
          keyOf={(key) => key}
          columns={[
            { title: t.key, cell: (key) => key, whole: (key) => key },
            { title: t.theirs, cell: (key) => there.get(key) ?? '—', whole: (key) => there.get(key) ?? '' },
            {
              title: t.afterColumn,
              cell: (key) => (key in changes ? (changes[key] ?? '—') : (there.get(key) ?? '—')),
            },
          ]}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onLoad}>{c.loadTheirs}</Button>
        <Button variant="primary" onClick={onOverwrite}>
          {c.overwrite}
        </Button>
      </div>
    </section>
  )
}

import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useList } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Field, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { State, toneOf } from '../../../kit/state'
import { toast } from '../../../kit/toast'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useOnce } from '../../../lib/use-once'
import { Choice, Choices } from '../../../parts/choices'
import { PERSON_PATHS, usePerson } from '../../../parts/use-person'
import { useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'
import { Result, useProgress } from '../data-requests'

type Type = 'EXPORT' | 'ERASURE'
const REQUESTS = '/dashboard/projects/{projectId}/dsar'

/** Export or erasure of one person, and the requests that were made for them. */
export function DataRequestSheet({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const c = useText('common')
  const { path, can } = useProject()
  const { subscriber, erased } = usePerson()
  const [type, setType] = useState<Type>('EXPORT')
  const [by, setBy] = useState('')
  const [typed, setTyped] = useState('')
  const body = { type, ...(by.trim() !== '' && { requestedBy: by.trim() }) }
  const once = useOnce()
  const action = useAction({
    run: () =>
      once([subscriber.id, body], (header) =>
        api.post('/dashboard/projects/{projectId}/subscribers/{id}/dsar', {
          params: { path: { ...path, id: subscriber.id }, header },
          body,
        }),
      ),
    refreshes: [...PERSON_PATHS, REQUESTS],
    onDone: () => {
      toast(t.dsarDone)
      setTyped('')
    },
  })
  const isErasure = type === 'ERASURE'
  const mayNot = can('subscribers:gdpr') ? null : c.roleNeeded(roleFor('subscribers:gdpr'))
  const isMissing = isErasure && typed.trim() !== subscriber.id
  return (
    <Dialog kind="sheet" title={t.dsarTitle} onClose={onClose}>
      {!erased && (
        <Form
          onSubmit={() => action.submit(undefined)}
          submit={isErasure ? t.dsarEraseSubmit : t.dsarExportSubmit}
          isDangerous={isErasure}
          busy={action.busy}
          error={action.error}
          onCancel={onClose}
          reason={mayNot ?? (isMissing ? c.typeToConfirm(subscriber.id) : null)}
        >
          <Choices label={c.type}>
            <Choice
              kind="radio"
              name="type"
              title={t.dsarExport}
              checked={!isErasure}
              onChange={() => setType('EXPORT')}
            />
            <Choice
              kind="radio"
              name="type"
              title={t.dsarErase}
              checked={isErasure}
              onChange={() => setType('ERASURE')}
            />
          </Choices>
          <p className={isErasure ? 'text-sm text-bad' : 'text-sm text-ink-2'}>
            {isErasure ? t.dsarEraseWhy : t.dsarExportWhy}
          </p>
          <Field label={t.requestedBy} name="requestedBy" hint={t.requestedByHint} isOptional>
            <TextInput maxLength={200} value={by} onChange={(event) => setBy(event.target.value)} />
          </Field>
          {isErasure && (
            <Field label={c.typeToConfirm(subscriber.id)}>
              <TextInput value={typed} onChange={(event) => setTyped(event.target.value)} className="font-mono" />
            </Field>
          )}
        </Form>
      )}
      {mayNot === null && <Requests id={subscriber.id} />}
    </Dialog>
  )
}

function Requests({ id }: { id: string }) {
  const { t } = useWords()
  const c = useText('common')
  const { path } = useProject()
  const list = useList(REQUESTS, { params: { path, query: { subscriberId: id, limit: 20 } } })
  useProgress(list.items)
  if (list.items.length === 0) return null
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{c.dataRequests}</h3>
      <ul className="divide-y divide-line">
        {list.items.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span>
              {t.requestTypes[row.type]}{' '}
              <span className="text-xs text-ink-2">
                <Time at={row.createdAt} />
              </span>
            </span>
            <State tone={toneOf(row.status)}>{t.requestStates[row.status]}</State>
            <Result row={row} />
          </li>
        ))}
      </ul>
    </section>
  )
}

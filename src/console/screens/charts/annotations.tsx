import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { IconButton } from '../../kit/button'
import { DateInput } from '../../kit/date-input'
import { Dialog } from '../../kit/dialog'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { More } from '../../kit/table'
import { toast } from '../../kit/toast'
import { useFailureToast } from '../../kit/use-failure-toast'
import { Time } from '../../kit/values'
import { useProject, useReading, useReadOnly } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { instantOf } from '../../parts/instants'
import { useText } from '../../text/catalogue'

const ANNOTATIONS = '/dashboard/projects/{projectId}/charts/annotations'

/** Everything that was noted on the charts of the project. */
export function AnnotationsSheet() {
  const t = useText('charts')
  const { path } = useProject()
  const [, set] = useParams()
  const list = useList(ANNOTATIONS, { params: { path, query: { limit: 100 } } })
  return (
    <Dialog kind="sheet" title={t.annotations} onClose={() => set({ do: null })}>
      <p className="text-sm text-ink-2">{t.annotationsHint}</p>
      <Add />
      {list.isLoading && <Skeleton />}
      {list.error && list.items.length === 0 && <Failure error={list.error} onRetry={list.retry} />}
      {!list.isLoading && !list.error && list.items.length === 0 && (
        <Empty title={t.noAnnotations}>{t.noAnnotationsHint}</Empty>
      )}
      <ul className="divide-y divide-line">
        {list.items.map((one) => (
          <Annotation key={one.id} annotation={one} />
        ))}
      </ul>
      <More list={list} />
    </Dialog>
  )
}

function Add() {
  const t = useText('charts')
  const { path } = useProject()
  const { zone } = useReading()
  const [at, setAt] = useState('')
  const [text, setText] = useState('')
  const add = useAction({
    run: () => api.post(ANNOTATIONS, { params: { path }, body: { at: instantOf(at, zone) ?? at, text } }),
    refreshes: [ANNOTATIONS],
    onDone: () => {
      setAt('')
      setText('')
    },
  })
  return (
    <Form
      submit={t.addAnnotation}
      busy={add.busy}
      error={add.error}
      reason={useReadOnly()}
      onSubmit={() => add.submit(undefined)}
    >
      <Field label={t.annotationAt} name="at" hint={t.annotationZone(zone)}>
        <DateInput hasTime value={at} onChange={setAt} />
      </Field>
      <Field label={t.annotationText} name="text">
        <TextInput maxLength={500} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
    </Form>
  )
}

function Annotation({ annotation: { id, at, text, revision } }: { annotation: Schemas['Annotation'] }) {
  const failed = useFailureToast()
  const t = useText('charts')
  const { path } = useProject()
  const reason = useReadOnly()
  const put = useAction({
    run: () => api.post(ANNOTATIONS, { params: { path }, body: { at, text } }),
    refreshes: [ANNOTATIONS],
  })
  const remove = useAction({
    run: () =>
      api.delete('/dashboard/projects/{projectId}/charts/annotations/{id}', {
        params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
      }),
    refreshes: [ANNOTATIONS],
    onDone: () => toast(t.deleted(text), { onUndo: () => put.submit(undefined) }),
    onFailure: failed,
  })
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <span className="grid min-w-0">
        <span className="break-words">{text}</span>
        <span className="text-xs text-ink-2">
          <Time at={at} absolute />
        </span>
      </span>
      {reason === null && (
        <IconButton label={t.deleteAnnotation(text)} aria-busy={remove.busy} onClick={() => remove.submit(undefined)}>
          <Trash2 aria-hidden size={14} />
        </IconButton>
      )}
    </li>
  )
}

import { Bookmark, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import { Button } from '../../kit/button'
import { Dialog } from '../../kit/dialog'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { Menu } from '../../kit/menu'
import { toast } from '../../kit/toast'
import { useProject, useReadOnly } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { type Asked, VIEW_MEMBERS } from './asked'

const VIEWS = '/dashboard/projects/{projectId}/charts/views'

/** The address of a saved view below the charts. */
export const viewHref = (
  base: string,
  { chartId, params }: { chartId: string; params: Record<string, unknown> },
): string => {
  const members = VIEW_MEMBERS.filter((name) => typeof params[name] === 'string')
  const query = new URLSearchParams(members.map((name) => [name, String(params[name])]))
  if (params.env === 'sandbox') query.set('env', 'sandbox')
  return `${base}/charts/${chartId}${query.size > 0 ? `?${query}` : ''}`
}

/** Saved views of the chart, and its annotations. */
export function ChartMenu({ asked }: { asked: Asked }) {
  const t = useText('charts')
  const { path, base } = useProject()
  const [, set] = useParams()
  const views = useRead(VIEWS, { params: { path, query: { limit: 200 } } })
  const own = (views.data?.items ?? []).filter(({ chartId }) => chartId === asked.chart.id)
  return (
    <>
      {own.length > 0 && (
        <Menu
          className="inline-flex h-7.5 items-center gap-1.5 rounded-control px-3 text-sm font-medium text-ink-2 hover:bg-hover hover:text-ink max-md:h-9"
          label={
            <>
              {t.views}
              <ChevronDown aria-hidden size={14} />
            </>
          }
          items={own.map((view) => ({ label: view.name, href: viewHref(base, view) }))}
        />
      )}
      <Button variant="quiet" onClick={() => set({ do: 'annotations' }, { push: true })}>
        {t.annotations}
      </Button>
    </>
  )
}

export function SaveView({ asked }: { asked: Asked }) {
  const t = useText('charts')
  const [params, set] = useParams()
  const reason = useReadOnly()
  return (
    <>
      <Button
        icon={<Bookmark aria-hidden size={14} />}
        reason={reason}
        onClick={() => set({ do: 'save' }, { push: true })}
      >
        {t.saveView}
      </Button>
      {params.get('do') === 'save' && <SaveDialog asked={asked} />}
    </>
  )
}

function SaveDialog({ asked }: { asked: Asked }) {
  const t = useText('charts')
  const common = useText('common')
  const { path, base } = useProject()
  const [params, set] = useParams()
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const kept = Object.fromEntries([...params].filter(([key]) => key === 'env' || VIEW_MEMBERS.includes(key)))
  const save = useAction({
    run: () => api.post(VIEWS, { params: { path }, body: { name, chartId: asked.chart.id, params: kept } }),
    refreshes: [VIEWS],
    onDone: (view) => {
      toast(t.viewSaved)
      go(viewHref(base, view), { replace: true })
    },
  })
  return (
    <Dialog title={t.saveView} onClose={() => set({ do: null })}>
      <Form
        submit={common.save}
        busy={save.busy}
        error={save.error}
        onSubmit={() => save.submit(undefined)}
        onCancel={() => set({ do: null })}
      >
        <Field label={t.viewName} name="name" hint={t.viewHint}>
          <TextInput data-first maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      </Form>
    </Dialog>
  )
}

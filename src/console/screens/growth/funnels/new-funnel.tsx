import { useState } from 'react'
import { useLocation } from 'wouter'
import type { TemplateId } from '../../../../core/funnel/templates/list'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useTemplates } from './templates'
import { FUNNELS, REFRESHES } from './use-funnel-edit'

interface NewFunnelProps {
  /** The template that it starts with; empty = none. */
  template: string
  reason: string | null
  onClose: () => void
}

/** A name, an address, and what it starts with. */
export function NewFunnel({ template: given, reason, onClose }: NewFunnelProps) {
  const t = useText('funnels')
  const words = useText('funnelWords')
  const common = useText('common')
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const templates = useTemplates()
  const nameOf = (id: string) => t.templateNames[id as TemplateId] ?? id
  const [template, setTemplate] = useState(given)
  const [name, setName] = useState(given === '' ? '' : nameOf(given))
  const [slug, setSlug] = useState<string | null>(null)
  const own = slug ?? slugOf(name)
  const action = useAction({
    run: () =>
      api.post(FUNNELS, {
        params: { path },
        body: { name, slug: own, ...(template === '' ? { pages: BLANK } : { templateId: template }) },
      }),
    refreshes: REFRESHES,
    onDone: ({ id }) => navigate(`${base}/growth/funnels/${id}`),
  })
  return (
    <Dialog kind="sheet" title={t.newFunnel} onClose={onClose}>
      <Form
        submit={common.create}
        busy={action.busy}
        error={action.error}
        reason={reason}
        onCancel={onClose}
        onSubmit={() => action.submit(undefined)}
      >
        <Field label={common.name} name="name">
          <TextInput data-first value={name} maxLength={255} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label={words.slug} name="slug" hint={t.slugHint}>
          <TextInput
            className="font-mono"
            value={own}
            maxLength={64}
            onChange={({ target }) => setSlug(target.value)}
          />
        </Field>
        <Field label={t.beginWith} name="templateId" hint={t.templatesHint}>
          <Select
            value={template}
            onChange={({ target }) => setTemplate(target.value)}
            options={[['', t.blank] as const, ...templates.map(({ id }) => [id, nameOf(id)] as const)]}
          />
        </Field>
      </Form>
    </Dialog>
  )
}

const BLANK = [
  { id: 'start', type: 'question', title: {}, fields: [], next: { rules: [], default: 'end' } },
  { id: 'end', type: 'success', title: {}, fields: [], next: { rules: [], default: null } },
]

/** `Summer offer` as `summer-offer`. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64)

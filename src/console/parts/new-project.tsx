import { useState } from 'react'
import { api, type Data } from '../api/client'
import { useAction } from '../api/queries'
import { Code } from '../kit/copy'
import { SecretShown } from '../kit/dialog'
import { Field, TextInput } from '../kit/field'
import { Form } from '../kit/form'
import { useText } from '../text/catalogue'

interface NewProjectFormProps {
  /** The project is there, and its secret key was shown. */
  onOpen: (slug: string) => void
  onCancel?: () => void
}

/** Makes a project, and shows the secret of its first key once. */
export function NewProjectForm({ onOpen, onCancel }: NewProjectFormProps) {
  const t = useText('signIn')
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string | null>(null)
  const shown = slug ?? slugOf(name)
  const action = useAction({
    run: () => api.post('/dashboard/projects', { body: { name: name.trim(), ...(shown !== '' && { slug: shown }) } }),
    refreshes: ['/dashboard/projects'],
  })
  if (action.result) return <Made made={action.result} onOpen={onOpen} />
  return (
    <Form
      submit={t.createProject}
      busy={action.busy}
      error={action.error}
      onSubmit={() => action.submit(undefined)}
      {...(onCancel && { onCancel })}
    >
      <Field label={t.projectName} name="name">
        <TextInput data-first maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t.projectSlug} name="slug" hint={t.projectSlugHint}>
        <TextInput className="font-mono" value={shown} onChange={(event) => setSlug(event.target.value)} />
      </Field>
    </Form>
  )
}

/** Letters lose their marks. Of other scripts nothing may remain; then the server makes one. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ı/g, 'i')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')

function Made({ made, onOpen }: { made: Data<'/dashboard/projects', 'post'>; onOpen: (slug: string) => void }) {
  const t = useText('signIn')
  const { project, apiKey } = made
  return (
    <>
      <p className="text-sm">{project.name}</p>
      <SecretShown title={t.secretKeyTitle} onClose={() => onOpen(project.slug)}>
        <p className="text-sm text-ink-2">{t.secretKeyHint}</p>
        {apiKey.secret && <Code label={t.secretKey} text={apiKey.secret} />}
        {apiKey.publicKey && <Code label={t.publicKey} text={apiKey.publicKey} />}
      </SecretShown>
    </>
  )
}

import { useState } from 'react'
import { api } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Field, Select, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { Removal } from '../removal'

type Credentials = Schemas['AssistantCredentials']
type Provider = NonNullable<Credentials['provider']>

const PATH = '/dashboard/projects/{projectId}/assistant/credentials'
const PROVIDERS = ['anthropic', 'openai', 'compatible'] as const satisfies readonly Provider[]

/** The model of the assistant: an owner sets it, and it must answer before it is saved. */
export function AssistantCredentials() {
  const { path } = useProject()
  const found = useRead(PATH, { params: { path } })
  if (found.data) return <CredentialsForm key={found.data.revision ?? 0} saved={found.data} />
  return found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Skeleton lines={5} />
}

interface Values {
  provider: Provider
  model: string
  baseUrl: string
  apiKey: string
}

const valuesOf = ({ provider, model, baseUrl, source }: Credentials): Values => ({
  provider: (source === 'PROJECT' ? provider : null) ?? 'anthropic',
  model: (source === 'PROJECT' ? model : null) ?? '',
  baseUrl: baseUrl ?? '',
  apiKey: '',
})

/** An empty key means the saved one; a server of one's own may have none. */
const bodyOf = ({ provider, model, baseUrl, apiKey }: Values): Schemas['AssistantCredentialsRequest'] => ({
  provider,
  model: model.trim(),
  baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
  ...(apiKey.trim() !== '' && { apiKey: apiKey.trim() }),
})

function CredentialsForm({ saved }: { saved: Credentials }) {
  const t = useText('assistant')
  const { path } = useProject()
  const [values, setValues] = useState(valuesOf(saved))
  const [isRemoving, setRemoving] = useState(false)
  const set = (name: keyof Values) => (event: { target: { value: string } }) =>
    setValues({ ...values, [name]: event.target.value })
  const action = useAction({
    run: () => api.put(PATH, { params: { path, header: ifMatch(saved) }, body: bodyOf(values) }),
    refreshes: [PATH],
    onDone: () => toast(t.modelWorks),
  })
  const error = useProbeFault(action.error)
  const isOwn = saved.source === 'PROJECT'
  return (
    <>
      {saved.source === 'SERVER' && (
        <p className="text-sm text-ink-2">{t.fromServer(saved.provider ?? '', saved.model ?? '')}</p>
      )}
      <Form submit={t.tryAndSave} busy={action.busy} error={error} onSubmit={() => action.submit(undefined)}>
        <Field label={t.provider} hint={t.providerHint[values.provider]} name="provider">
          <Select
            value={values.provider}
            options={PROVIDERS.map((one) => [one, t.providers[one]] as const)}
            onChange={set('provider')}
          />
        </Field>
        <Field label={t.model} hint={t.modelHint} name="model">
          <TextInput value={values.model} onChange={set('model')} className="font-mono" />
        </Field>
        <Field label={t.address} hint={t.addressHint} name="baseUrl" isOptional={values.provider !== 'compatible'}>
          <TextInput
            type="url"
            inputMode="url"
            value={values.baseUrl}
            onChange={set('baseUrl')}
            className="font-mono"
          />
        </Field>
        <Field
          label={t.key}
          hint={saved.keyLast4 === null ? t.keyHint : t.keySaved(saved.keyLast4)}
          name="apiKey"
          isOptional={values.provider === 'compatible'}
        >
          <TextInput type="password" value={values.apiKey} onChange={set('apiKey')} className="font-mono" />
        </Field>
        {isOwn && (
          <div>
            <Button variant="quiet" onClick={() => setRemoving(true)}>
              {t.removeModel}
            </Button>
          </div>
        )}
      </Form>
      {isRemoving && (
        <Removal
          title={t.removeModel}
          done={t.modelRemoved}
          run={() => api.delete(PATH, { params: { path, header: ifMatch(saved) } })}
          refreshes={[PATH]}
          onClose={() => setRemoving(false)}
        >
          <p>{t.removeModelEffect}</p>
        </Removal>
      )}
    </>
  )
}

const ifMatch = ({ revision, source }: Credentials) =>
  source === 'PROJECT' && revision !== null ? { 'If-Match': `"${revision}"` } : {}

/** What the probe found, at the field that it is about. */
function useProbeFault(error: Error | null): Error | null {
  const t = useText('assistant')
  if (!(error instanceof ApiFailure) || typeof error.details.field !== 'string') return error
  const { field, reason } = error.details
  const words = (t.probe as Record<string, string>)[String(reason)] ?? error.message
  const details = { ...error.details, fields: { [field]: words } }
  return new ApiFailure(error.status, error.code, error.message, details, error.requestId, error.retryAfter)
}

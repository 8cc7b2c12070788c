import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Field, Select } from '../../kit/field'
import { Form } from '../../kit/form'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { KeyFields, keyBody, NEW_KEY } from './key-fields'

interface NewKeyProps {
  reason: string | null
  onCancel: () => void
  onMade: (key: Schemas['ApiKeyWithSecret']) => void
}

const KINDS = ['pair', 'public', 'secret'] as const
type Kind = (typeof KINDS)[number]

export function NewKey({ reason, onCancel, onMade }: NewKeyProps) {
  const t = useText('settings')
  const { path } = useProject()
  const [kind, setKind] = useState<Kind>('pair')
  const [values, setValues] = useState(NEW_KEY)
  const action = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/api-keys', {
        params: { path },
        body: { ...keyBody(values), kind },
      }),
    refreshes: ['/dashboard/projects/{projectId}/api-keys'],
    onDone: onMade,
  })
  return (
    <Form
      submit={t.createKey}
      busy={action.busy}
      error={action.error}
      reason={reason}
      onCancel={onCancel}
      onSubmit={() => action.submit(undefined)}
    >
      <Field label={t.kind} hint={t.kindHint[kind]} name="kind">
        <Select
          value={kind}
          options={KINDS.map((one) => [one, t.kindName[one]] as const)}
          onChange={(event) => setKind(event.target.value as Kind)}
        />
      </Field>
      <KeyFields values={values} onChange={setValues} disabled={reason !== null} />
    </Form>
  )
}

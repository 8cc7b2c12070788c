import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { credentialsOf, emptyDraft, PATH, settingsOf } from './draft'
import { IntegrationFields, useIntegrationRefusal } from './fields'
import { PROVIDERS, type Provider } from './providers'

/** Credentials and events of a new connection. They can be tried before anything is saved. */
export function Connect({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const t = useText('connections')
  const { path, base } = useProject()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(emptyDraft(provider))
  const reason = useRights().needsRole('ADMIN')
  const credentials = () => credentialsOf(provider, draft.values)
  const check = useAction({
    run: () => api.post(`${PATH}/validate`, { params: { path }, body: { provider, credentials: credentials() } }),
    onDone: () => toast(t.credentialsWork),
  })
  const create = useAction({
    run: () =>
      api.post(PATH, { params: { path }, body: { provider, credentials: credentials(), ...settingsOf(draft) } }),
    refreshes: [PATH],
    onDone: ({ id }) => navigate(`${base}/connections/integrations/${id}`),
  })
  const error = useIntegrationRefusal(create.error ?? check.error, provider)
  return (
    <Dialog title={t.connectTo(PROVIDERS[provider].title)} kind="sheet" onClose={onClose}>
      <Form
        onSubmit={() => {
          check.reset()
          create.submit(undefined)
        }}
        submit={t.connect}
        busy={create.busy}
        error={error}
        onCancel={onClose}
        reason={reason}
      >
        <IntegrationFields provider={provider} draft={draft} onChange={setDraft} />
        <Button
          onClick={() => {
            create.reset()
            check.submit(undefined)
          }}
          busy={check.busy}
          reason={reason}
        >
          {t.tryCredentials}
        </Button>
      </Form>
    </Dialog>
  )
}

import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useRefresh } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Conflict, newerRevision } from '../shared/conflict'
import { changedCredentials, draftOf, type Integration, PATH, settingsOf } from './draft'
import { IntegrationFields, useIntegrationRefusal } from './fields'
import type { Provider } from './providers'

interface EditProps {
  integration: Integration
  provider: Provider
  onClose: () => void
  reason: string | null
}

export function EditIntegration({ integration, provider, onClose, reason }: EditProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const refresh = useRefresh()
  const [begun, setBegun] = useState(integration)
  const [draft, setDraft] = useState(draftOf(integration))
  const save = useAction({
    run: (revision: number) => {
      const credentials = changedCredentials(provider, draft, begun)
      return api.patch(`${PATH}/{id}`, {
        params: { path: { ...path, id: integration.id }, header: { 'If-Match': `"${revision}"` } },
        body: { ...settingsOf(draft), ...(credentials && { credentials }) },
      })
    },
    refreshes: [PATH],
    onDone: () => {
      toast(common.saved)
      onClose()
    },
    onFailure: (error) => newerRevision(error) !== null && refresh(PATH),
  })
  const error = useIntegrationRefusal(save.error, provider)
  return (
    <Dialog title={t.editIntegration} kind="sheet" onClose={onClose}>
      <Conflict
        error={save.error}
        before={{ ...begun.settings, ...settingsOf(draftOf(begun)) }}
        now={{ ...integration.settings, ...settingsOf(draftOf(integration)) }}
        onLoad={() => {
          setBegun(integration)
          setDraft(draftOf(integration))
          save.reset()
        }}
        onOverwrite={save.submit}
      />
      <Form
        onSubmit={() => save.submit(begun.revision)}
        submit={common.save}
        busy={save.busy}
        error={newerRevision(save.error) === null ? error : null}
        onCancel={onClose}
        reason={reason}
      >
        <IntegrationFields provider={provider} draft={draft} onChange={setDraft} saved={integration} />
      </Form>
    </Dialog>
  )
}

import { api } from '../../../api/client'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Conflict } from '../shared/conflict'
import { useSheetEdit } from '../shared/use-sheet-edit'
import { changedCredentials, draftOf, type Integration, PATH, settingsOf } from './draft'
import { IntegrationFields, useIntegrationRefusal } from './fields'
import { type Provider, titleOf } from './providers'

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
  const edit = useSheetEdit({
    saved: integration,
    draftOf,
    save: (draft, begun, revision) => {
      const credentials = changedCredentials(provider, draft, begun)
      return api.patch(`${PATH}/{id}`, {
        params: { path: { ...path, id: integration.id }, header: { 'If-Match': `"${revision}"` } },
        body: { ...settingsOf(draft), ...(credentials && { credentials }) },
      })
    },
    nameOf: () => titleOf(provider),
    refreshes: [PATH],
    onClose,
  })
  const { begun } = edit
  const error = useIntegrationRefusal(edit.error, provider)
  return (
    <Dialog title={t.editIntegration} kind="sheet" onClose={onClose}>
      <Conflict
        {...edit.conflict}
        before={{ ...begun.settings, ...settingsOf(draftOf(begun)) }}
        now={{ ...integration.settings, ...settingsOf(draftOf(integration)) }}
      />
      <Form
        onSubmit={edit.submit}
        submit={common.save}
        busy={edit.busy}
        error={error}
        onCancel={onClose}
        reason={reason}
      >
        <IntegrationFields provider={provider} draft={edit.draft} onChange={edit.setDraft} saved={integration} />
      </Form>
    </Dialog>
  )
}

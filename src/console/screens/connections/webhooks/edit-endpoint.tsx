import { api } from '../../../api/client'
import { Dialog } from '../../../kit/dialog'
import { isSame } from '../../../kit/draft'
import { Form } from '../../../kit/form'
import { ProjectFilePart } from '../../../kit/project-file'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { endpointAsFile } from '../as-file'
import { Conflict } from '../shared/conflict'
import { useSheetEdit } from '../shared/use-sheet-edit'
import { EndpointFields, useEndpointRefusal } from './endpoint-fields'
import { bodyOf, draftOf, type Endpoint, PATH } from './model'

interface EditEndpointProps {
  endpoint: Endpoint
  onClose: () => void
  reason: string | null
}

export function EditEndpoint({ endpoint, onClose, reason }: EditEndpointProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const edit = useSheetEdit({
    saved: endpoint,
    draftOf,
    save: (draft, _begun, revision) =>
      api.patch(`${PATH}/{id}`, {
        params: { path: { ...path, id: endpoint.id }, header: { 'If-Match': `"${revision}"` } },
        body: bodyOf(draft),
      }),
    nameOf: ({ name }) => name,
    refreshes: [PATH],
    onClose,
  })
  const { draft, begun } = edit
  const refused = useEndpointRefusal(edit.error)
  return (
    <Dialog title={t.editEndpoint} kind="sheet" onClose={onClose}>
      <Conflict {...edit.conflict} before={{ ...draftOf(begun) }} now={{ ...draftOf(endpoint) }} />
      <Form
        onSubmit={edit.submit}
        submit={common.save}
        busy={edit.busy}
        error={refused}
        onCancel={onClose}
        reason={reason}
      >
        <EndpointFields draft={draft} onChange={edit.setDraft} isSaved />
      </Form>
      <ProjectFilePart
        isInside
        kind="webhookEndpoint"
        identifier={endpoint.name}
        revision={endpoint.revision}
        changedAs={isSame(draft, draftOf(endpoint)) ? null : endpointAsFile(draft)}
      />
    </Dialog>
  )
}

import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useRefresh } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { isSame } from '../../../kit/draft'
import { Form } from '../../../kit/form'
import { ProjectFilePart } from '../../../kit/project-file'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { endpointAsFile } from '../as-file'
import { Conflict, newerRevision } from '../shared/conflict'
import { EndpointFields, useEndpointRefusal } from './endpoint-fields'
import { bodyOf, draftOf, type Endpoint, PATH } from './model'

interface EditEndpointProps {
  /** As it is at the server now; it changes under the form when somebody else saves. */
  endpoint: Endpoint
  onClose: () => void
  reason: string | null
}

export function EditEndpoint({ endpoint, onClose, reason }: EditEndpointProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const refresh = useRefresh()
  const [begun, setBegun] = useState(endpoint)
  const [draft, setDraft] = useState(draftOf(endpoint))
  const save = useAction({
    run: (revision: number) =>
      api.patch(`${PATH}/{id}`, {
        params: { path: { ...path, id: endpoint.id }, header: { 'If-Match': `"${revision}"` } },
        body: bodyOf(draft),
      }),
    refreshes: [PATH],
    onDone: () => {
      toast(common.saved)
      onClose()
    },
    onFailure: (error) => newerRevision(error) !== null && refresh(PATH),
  })
  const refused = useEndpointRefusal(save.error)
  const load = () => {
    setBegun(endpoint)
    setDraft(draftOf(endpoint))
    save.reset()
  }
  return (
    <Dialog title={t.editEndpoint} kind="sheet" onClose={onClose}>
      <Conflict
        error={save.error}
        before={{ ...draftOf(begun) }}
        now={{ ...draftOf(endpoint) }}
        onLoad={load}
        onOverwrite={save.submit}
      />
      <Form
        onSubmit={() => save.submit(begun.revision)}
        submit={common.save}
        busy={save.busy}
        error={newerRevision(save.error) === null ? refused : null}
        onCancel={onClose}
        reason={reason}
      >
        <EndpointFields draft={draft} onChange={setDraft} isSaved />
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

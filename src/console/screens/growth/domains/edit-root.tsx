import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { type Domain, PATH } from './model'
import { RootFields, rootBody } from './root-fields'

interface EditRootProps {
  domain: Domain
  onClose: () => void
  reason: string | null
}

export function EditRoot({ domain, onClose, reason }: EditRootProps) {
  const t = useText('domains')
  const common = useText('common')
  const { path } = useProject()
  const { id, revision, rootFunnelId, redirectTo } = domain
  const [root, setRoot] = useState({ funnelId: rootFunnelId ?? '', address: redirectTo ?? '' })
  const body = rootBody(root.funnelId === '' ? root : { ...root, address: '' })
  const change = useAction({
    run: () =>
      api.patch(`${PATH}/{id}`, { params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } }, body }),
    refreshes: [PATH],
    onDone: ({ hostname }) => {
      toast(common.savedName(hostname))
      onClose()
    },
  })
  return (
    <Dialog title={t.editRoot} onClose={onClose}>
      <Form
        onSubmit={() => change.submit(undefined)}
        submit={common.save}
        busy={change.busy}
        error={change.error}
        onCancel={onClose}
        reason={reason}
      >
        <RootFields root={root} onChange={setRoot} />
      </Form>
    </Dialog>
  )
}

import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Field, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { PATH } from './model'
import { type Root, RootFields, rootBody } from './root-fields'

/** A new name. Its card then shows its records. */
export function AddDomain({ onClose }: { onClose: () => void }) {
  const t = useText('domains')
  const { path } = useProject()
  const [hostname, setHostname] = useState('')
  const [root, setRoot] = useState<Root>({ funnelId: '', address: '' })
  const create = useAction({
    run: () => api.post(PATH, { params: { path }, body: { hostname, ...rootBody(root) } }),
    refreshes: [PATH],
    onDone: () => {
      toast(t.added)
      onClose()
    },
  })
  return (
    <Dialog title={t.add} onClose={onClose}>
      <Form
        onSubmit={() => create.submit(undefined)}
        submit={t.add}
        busy={create.busy}
        error={create.error}
        onCancel={onClose}
      >
        <Field label={t.hostname} name="hostname" hint={t.hostnameHint}>
          <TextInput
            value={hostname}
            onChange={(event) => setHostname(event.target.value)}
            className="font-mono"
            spellCheck={false}
            autoCapitalize="none"
          />
        </Field>
        <RootFields root={root} onChange={setRoot} />
      </Form>
    </Dialog>
  )
}

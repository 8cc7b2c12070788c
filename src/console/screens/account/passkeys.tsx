import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Confirm, Dialog } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { Time } from '../../kit/values'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { createCredential } from './web-authn'

type Passkey = Schemas['Passkey']

const PATH = '/dashboard/me/passkeys'

/** Keys of devices. Each is both factors at once. */
export function Passkeys() {
  const t = useText('account')
  const c = useText('common')
  const [asked, setAsked] = useParam('do')
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const list = useList(PATH, {})
  const canHave = 'credentials' in navigator && 'PublicKeyCredential' in window
  return (
    <Card
      flush
      title={t.passkeys}
      aside={
        <Button reason={canHave ? null : t.noPasskeysHere} onClick={() => setAsked('passkey', { push: true })}>
          {t.addPasskey}
        </Button>
      }
    >
      <DataTable
        label={t.passkeys}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty title={t.noPasskeys}>{t.passkeysHint}</Empty>}
        columns={[
          { title: c.name, cell: ({ name }) => name, whole: ({ name }) => name },
          { title: c.createdAt, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: t.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt === null ? c.never : <Time at={lastUsedAt} />) },
          {
            title: <span className="sr-only">{c.actions}</span>,
            isNumber: true,
            cell: (one) => (
              <Button variant="quiet" onClick={() => setRemoved(one)}>
                {c.remove}
              </Button>
            ),
          },
        ]}
      />
      {asked === 'passkey' && <AddPasskey onClose={() => setAsked(null)} />}
      {removed && <RemovePasskey passkey={removed} onClose={() => setRemoved(null)} />}
    </Card>
  )
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const t = useText('account')
  const [name, setName] = useState('')
  const action = useAction({
    run: async () => {
      const options = await api.post('/dashboard/me/passkeys/options', { body: {} })
      const credential = await createCredential(options)
      return api.post(PATH, { body: { name, credential } })
    },
    refreshes: [PATH],
    onDone: () => {
      onClose()
      toast(t.passkeyAdded)
    },
  })
  return (
    <Dialog title={t.addPasskey} onClose={onClose}>
      <p className="text-sm text-ink-2">{t.passkeysHint}</p>
      <Form
        submit={t.addPasskey}
        busy={action.busy}
        error={action.error}
        onCancel={onClose}
        onSubmit={() => action.submit(undefined)}
      >
        <Field label={t.passkeyName} hint={t.needsFreshSession} name="name">
          <TextInput data-first value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      </Form>
    </Dialog>
  )
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText('account')
  const c = useText('common')
  const action = useAction({
    run: () => api.delete('/dashboard/me/passkeys/{id}', { params: { path: { id: passkey.id } } }),
    refreshes: [PATH],
    onDone: () => {
      onClose()
      toast(c.deleted)
    },
  })
  return (
    <Confirm
      title={t.removePasskey(passkey.name)}
      action={c.remove}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.removePasskeyEffect}</p>
    </Confirm>
  )
}

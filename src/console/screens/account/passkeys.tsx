import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Field, TextInput } from '../../kit/field'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { Time } from '../../kit/values'
import { useParam } from '../../lib/url-state'
import { Removal } from '../../parts/removal'
import { type Texts, useText } from '../../text/catalogue'
import { FormDialog } from './form-dialog'

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
          {
            title: t.lastUsed,
            isNamed: true,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? c.never : <Time at={lastUsedAt} />),
          },
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
  const action = useAction<void, unknown>({
    run: async () => {
      const options = await api.post('/dashboard/me/passkeys/options', { body: {} })
      const credential = await createCredential(options).catch((cause: unknown) => {
        throw refusalOf(cause, t)
      })
      return api.post(PATH, { body: { name, credential } })
    },
    refreshes: [PATH],
    onDone: () => {
      onClose()
      toast(t.passkeyAdded)
    },
  })
  return (
    <FormDialog title={t.addPasskey} hint={t.passkeysHint} action={action} onClose={onClose}>
      <Field label={t.passkeyName} hint={t.needsFreshSession} name="name">
        <TextInput data-first value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

/** Why there is no passkey. The browser has the list of those that exist, and may have found one of them on the device. */
function refusalOf(cause: unknown, t: Texts['account']): unknown {
  const name = cause instanceof DOMException ? cause.name : null
  if (name === 'InvalidStateError') return new Error(t.passkeyThere, { cause })
  return name === 'NotAllowedError' ? new Error(t.passkeyNotMade, { cause }) : cause
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText('account')
  const c = useText('common')
  return (
    <Removal
      title={t.removePasskey(passkey.name)}
      word={c.remove}
      done={c.deletedName(passkey.name)}
      run={() => api.delete('/dashboard/me/passkeys/{id}', { params: { path: { id: passkey.id } } })}
      refreshes={[PATH]}
      onClose={onClose}
    >
      {t.removePasskeyEffect}
    </Removal>
  )
}

/** Creates a passkey on the device. `options` is the JSON of the server, with binary values in base64url. */
async function createCredential(options: Record<string, unknown>): Promise<CredentialWire> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
  if (!made) throw new Error('The device made no passkey.')
  return made.toJSON() as unknown as CredentialWire
}

/** A new credential as the API takes it. */
interface CredentialWire {
  id: string
  rawId: string
  type: 'public-key'
  response: { attestationObject: string; clientDataJSON: string; transports?: string[] }
}

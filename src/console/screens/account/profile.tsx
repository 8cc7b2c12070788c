import { type ReactNode, useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { Button, DownloadButton } from '../../kit/button'
import { Card, Facts, Stack } from '../../kit/card'
import { Id } from '../../kit/copy'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { Page } from '../../kit/page'
import { State } from '../../kit/state'
import { toast } from '../../kit/toast'
import { Time } from '../../kit/values'
import { useSession } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { DeleteAccount } from './delete-account'
import { PreferencesCard } from './preferences'

/** Name, preferences, and what the server holds of the signed-in person. */
export default function Profile() {
  const t = useText('account')
  const c = useText('common')
  const { me } = useSession()
  const [asked, setAsked] = useParam('do')
  return (
    <Page title={c.profile} purpose={t.profilePurpose}>
      <Stack>
        <LinkFailure />
        <Card title={t.you}>
          <div className="grid max-w-xl gap-4">
            <NameForm />
            <Facts
              items={[
                [t.mail, me.email],
                [
                  c.state,
                  <State key="state" tone={me.emailVerified ? 'good' : 'warn'}>
                    {me.emailVerified ? t.verified : t.notVerified}
                  </State>,
                ],
                [c.id, <Id key="id" id={me.id} />],
                [c.createdAt, <Time key="created" at={me.createdAt} day />],
              ]}
            />
          </div>
        </Card>
        <PreferencesCard />
        <Card title={t.export}>
          <Row text={t.exportHint}>
            <DownloadButton href="/dashboard/me/export">{t.exportAction}</DownloadButton>
          </Row>
        </Card>
        <Card title={t.deleteAccount}>
          <Row text={t.deleteAccountHint}>
            <Button variant="danger" onClick={() => setAsked('delete', { push: true })}>
              {t.deleteAccount}
            </Button>
          </Row>
        </Card>
      </Stack>
      {asked === 'delete' && <DeleteAccount onClose={() => setAsked(null)} />}
    </Page>
  )
}

const Row = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-4">
    <p className="max-w-xl text-sm text-ink-2">{text}</p>
    {children}
  </div>
)

function NameForm() {
  const c = useText('common')
  const { me } = useSession()
  const [name, setName] = useState(me.name)
  const action = useAction({
    run: () => api.patch('/dashboard/me', { body: { name } }),
    refreshes: ['/dashboard/me'],
    onDone: (saved) => toast(c.savedName(saved.name)),
  })
  return (
    <Form submit={c.save} busy={action.busy} error={action.error} onSubmit={() => action.submit(undefined)}>
      <Field label={c.name} name="name">
        <TextInput value={name} autoComplete="name" onChange={(event) => setName(event.target.value)} />
      </Field>
    </Form>
  )
}

/** A provider that could not be linked leads back here, with the reason in the address. */
function LinkFailure() {
  const t = useText('account')
  const [code] = useParam('error')
  if (code === '') return null
  const message = Object.entries(t.linkFailures).find(([one]) => one === code)?.[1] ?? t.linkFailures.failed
  return (
    <p role="alert" className="rounded-control bg-warn-soft px-3 py-2 text-sm text-warn">
      {message}
    </p>
  )
}

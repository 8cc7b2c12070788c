import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { Card } from '../../kit/card'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useSession } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Changes the password, or sets the first one of a person who signs in with a provider. */
export function PasswordCard() {
  const t = useText('account')
  const { me } = useSession()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction({
    run: () =>
      api.put('/dashboard/me/password', {
        body: { ...(me.hasPassword && { currentPassword: current }), password },
      }),
    refreshes: ['/dashboard/me'],
    onDone: () => {
      setCurrent('')
      setPassword('')
      toast(t.passwordChanged)
    },
  })
  return (
    <Card title={t.password}>
      <div className="grid max-w-xl gap-3">
        <p className="text-sm text-ink-2">{me.hasPassword ? t.passwordHint : t.noPassword}</p>
        <Form
          submit={me.hasPassword ? t.changePassword : t.setPassword}
          busy={action.busy}
          error={action.error}
          onSubmit={() => action.submit(undefined)}
        >
          <input type="hidden" autoComplete="username" value={me.email} readOnly />
          {me.hasPassword && (
            <Field label={t.currentPassword} name="currentPassword">
              <TextInput
                type="password"
                autoComplete="current-password"
                value={current}
                onChange={(event) => setCurrent(event.target.value)}
              />
            </Field>
          )}
          <Field label={t.newPassword} hint={t.newPasswordHint} name="password">
            <TextInput
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
        </Form>
      </div>
    </Card>
  )
}

import { useState } from 'react'
import { useParams } from 'wouter'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { LinkButton } from '../../kit/button'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { useText } from '../../text/catalogue'
import { Outside, TextLink } from './outside'

/** Asks for a link, and with the link of the mail chooses the password. */
export default function ResetPassword() {
  const { token } = useParams<{ token?: string }>()
  return token === undefined ? <Ask /> : <Choose token={token} />
}

function Ask() {
  const t = useText('signIn')
  const [email, setEmail] = useState('')
  const action = useAction({ run: () => api.post('/api/auth/password-reset', { body: { email: email.trim() } }) })
  return (
    <Outside
      title={t.askResetTitle}
      hint={t.askResetHint}
      below={<TextLink href="/sign-in">{t.backToSignIn}</TextLink>}
    >
      <Form
        isWide
        submit={t.askReset}
        busy={action.busy}
        error={action.error}
        onSubmit={() => action.submit(undefined)}
      >
        {action.result && <p role="status">{t.askedReset}</p>}
        <Field label={t.email} name="email">
          <TextInput
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
      </Form>
    </Outside>
  )
}

function Choose({ token }: { token: string }) {
  const t = useText('signIn')
  const [password, setPassword] = useState('')
  const action = useAction({ run: () => api.post('/api/auth/password-reset/confirm', { body: { token, password } }) })
  if (action.result) {
    return (
      <Outside title={t.resetDone}>
        <LinkButton href="/sign-in" variant="primary">
          {t.signIn}
        </LinkButton>
      </Outside>
    )
  }
  return (
    <Outside title={t.resetTitle} hint={t.resetHint} below={<TextLink href="/reset-password">{t.askReset}</TextLink>}>
      <Form isWide submit={t.reset} busy={action.busy} error={action.error} onSubmit={() => action.submit(undefined)}>
        <Field label={t.newPassword} name="password" hint={t.passwordHint}>
          <TextInput
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </Form>
    </Outside>
  )
}

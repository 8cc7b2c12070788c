import { useState } from 'react'
import { useParams } from 'wouter'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { Button, LinkButton } from '../../kit/button'
import { FormFailure } from '../../kit/failure'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { useText } from '../../text/catalogue'
import { Outside, TextLink } from './outside'

/** The link of the mail. A program that opens links must not confirm anything, so a click is needed. */
export default function VerifyEmail() {
  const { token } = useParams<{ token?: string }>()
  return token === undefined ? <AskVerification email="" /> : <Confirm token={token} />
}

function Confirm({ token }: { token: string }) {
  const t = useText('signIn')
  const action = useAction({ run: () => api.post('/api/auth/verify-email', { body: { token } }) })
  if (action.result) {
    return (
      <Outside title={t.verified}>
        <LinkButton href="/sign-in" variant="primary">
          {t.signIn}
        </LinkButton>
      </Outside>
    )
  }
  return (
    <Outside title={t.verifyTitle} hint={t.verifyHint} below={<TextLink href="/verify-email">{t.resend}</TextLink>}>
      <FormFailure error={action.error} />
      <Button variant="primary" busy={action.busy} onClick={() => action.submit(undefined)}>
        {t.verify}
      </Button>
    </Outside>
  )
}

/** Sends the mail with the link again. */
export function AskVerification({ email: known, isNew = false }: { email: string; isNew?: boolean }) {
  const t = useText('signIn')
  const [email, setEmail] = useState(known)
  const action = useAction({ run: () => api.post('/api/auth/verify-email/resend', { body: { email: email.trim() } }) })
  return (
    <Outside
      title={isNew ? t.checkMail : t.verifyTitle}
      hint={isNew ? t.checkMailHint(known) : t.askVerifyHint}
      below={<TextLink href="/sign-in">{t.backToSignIn}</TextLink>}
    >
      <Form isWide submit={t.resend} busy={action.busy} error={action.error} onSubmit={() => action.submit(undefined)}>
        {action.result && <p role="status">{t.resent}</p>}
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

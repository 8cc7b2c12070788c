import { useState } from 'react'
import { useParams } from 'wouter'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { useText } from '../../text/catalogue'
import { useEntered } from './entered'
import { Outside, TextLink } from './outside'
import { ownPath, signInAt } from './own-path'
import { ProviderLink } from './sign-in'
import { AskVerification } from './verify-email'

/** `/sign-up`, with `?invitation=` of a mail, and `/setup/:token` for the first user. */
export default function SignUp() {
  const t = useText('signIn')
  const { token: setupToken } = useParams<{ token?: string }>()
  const query = new URLSearchParams(location.search)
  const invitation = query.get('invitation')
  const options = useRead('/api/auth/options', {})
  const [mailed, setMailed] = useState<string | null>(null)
  if (mailed !== null) return <AskVerification email={mailed} isNew />
  const isClosed = setupToken === undefined && invitation === null && options.data && options.data.signUp !== 'OPEN'
  const page = invitation === null ? ownPath(query.get('next')) : `/join/${invitation}`
  const title = setupToken === undefined ? t.signUpTitle : t.setupTitle
  const email = query.get('email')
  const below = (
    <p>
      {t.haveAccount} <TextLink href={signInAt(page)}>{t.signIn}</TextLink>
    </p>
  )
  if (setupToken !== undefined && options.data && options.data.signUp !== 'SETUP')
    return <Outside title={t.setupDone} below={below} />
  if (isClosed) return <Outside title={title} hint={t.byInvitation} below={below} />
  return (
    <Outside
      title={title}
      hint={setupToken !== undefined ? t.setupHint : email !== null ? t.invitedHint(email) : undefined}
      below={setupToken === undefined ? below : undefined}
    >
      <AccountForm
        fixedEmail={invitation === null ? null : email}
        tokens={{ ...(setupToken && { setupToken }), ...(invitation && { invitationToken: invitation }) }}
        page={invitation === null ? '/welcome' : page}
        onMailed={setMailed}
      />
      {setupToken === undefined &&
        options.data?.providers.map((one) => (
          <ProviderLink
            key={one}
            href={`/api/auth/oauth/${one}?page=${encodeURIComponent(page)}${invitation ? `&invitationToken=${encodeURIComponent(invitation)}` : ''}`}
          >
            {t.withProvider(t.providers[one])}
          </ProviderLink>
        ))}
    </Outside>
  )
}

interface AccountFormProps {
  fixedEmail: string | null
  tokens: { setupToken?: string; invitationToken?: string }
  /** Where to go with the new account. */
  page: string
  onMailed: (email: string) => void
}

/** Makes the account, and signs in with it where the address needs no confirmation. */
function AccountForm({ fixedEmail, tokens, page, onMailed }: AccountFormProps) {
  const t = useText('signIn')
  const [name, setName] = useState('')
  const [email, setEmail] = useState(fixedEmail ?? '')
  const [password, setPassword] = useState('')
  const entered = useEntered()
  const address = email.trim()
  const action = useAction({
    run: async () => {
      const { next } = await api.post('/api/auth/sign-up', { body: { name, email: address, password, ...tokens } })
      if (next === 'VERIFY_EMAIL') return 'MAILED'
      // The answer does not tell whether the address had an account before; then this password is not its own.
      return api.post('/api/auth/sign-in', { body: { email: address, password } }).then(
        (signed) => (signed.next === null ? 'IN' : 'SIGN_IN'),
        () => 'SIGN_IN',
      )
    },
    onDone: (came) => (came === 'MAILED' ? onMailed(address) : entered(came === 'IN' ? page : signInAt(page))),
  })
  return (
    <Form isWide submit={t.signUp} busy={action.busy} error={action.error} onSubmit={() => action.submit(undefined)}>
      <Field label={t.name} name="name">
        <TextInput autoComplete="name" maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t.email} name="email">
        <TextInput
          type="email"
          autoComplete="username"
          readOnly={fixedEmail !== null}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label={t.password} name="password" hint={t.passwordHint}>
        <TextInput
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
    </Form>
  )
}

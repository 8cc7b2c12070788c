import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { useText } from '../../text/catalogue'

export type SignInNext = 'TWO_FACTOR' | 'VERIFY_EMAIL'

interface PasswordStepProps {
  /** A fixed address: the person of the page signs in again. */
  fixedEmail?: string
  onUser: (user: Schemas['Me']) => void
  onNext: (next: SignInNext, email: string) => void
}

/** Address and password. */
export function PasswordStep({ fixedEmail, onUser, onNext }: PasswordStepProps) {
  const t = useText('signIn')
  const [email, setEmail] = useState(fixedEmail ?? '')
  const [password, setPassword] = useState('')
  const action = useAction({
    run: () => api.post('/api/auth/sign-in', { body: { email: email.trim(), password } }),
    onDone: ({ next, user }) => {
      if (next !== null) onNext(next, email.trim())
      else if (user) onUser(user)
    },
  })
  return (
    <Form isWide submit={t.signIn} busy={action.busy} error={action.error} onSubmit={() => action.submit(undefined)}>
      <Field label={t.email} name="email">
        <TextInput
          type="email"
          autoComplete="username"
          value={email}
          readOnly={fixedEmail !== undefined}
          data-first={fixedEmail === undefined || undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label={t.password} name="password">
        <TextInput
          type="password"
          autoComplete="current-password"
          value={password}
          data-first={fixedEmail !== undefined || undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
    </Form>
  )
}

/** The second factor: six digits of the app, or a backup code. */
export function CodeStep({ onUser }: { onUser: (user: Schemas['Me']) => void }) {
  const t = useText('signIn')
  const [isBackup, setBackup] = useState(false)
  const [code, setCode] = useState('')
  const action = useAction({
    run: () => {
      const given = code.replace(/\s/g, '')
      return api.post('/api/auth/two-factor', { body: isBackup ? { backupCode: given } : { code: given } })
    },
    onDone: ({ user }) => onUser(user),
  })
  const change = () => {
    setBackup(!isBackup)
    setCode('')
    action.reset()
  }
  return (
    <Form isWide submit={t.goOn} busy={action.busy} error={action.error} onSubmit={() => action.submit(undefined)}>
      <Field
        label={isBackup ? t.backupCode : t.code}
        name={isBackup ? 'backupCode' : 'code'}
        hint={isBackup ? t.backupCodeHint : t.codeHint}
      >
        <TextInput
          key={String(isBackup)}
          autoFocus
          data-first
          autoComplete={isBackup ? 'off' : 'one-time-code'}
          inputMode={isBackup ? 'text' : 'numeric'}
          className="font-mono"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <button
        type="button"
        onClick={change}
        className="min-h-6 justify-self-start text-sm font-medium text-accent underline-offset-2 hover:underline"
      >
        {isBackup ? t.useCode : t.useBackupCode}
      </button>
    </Form>
  )
}

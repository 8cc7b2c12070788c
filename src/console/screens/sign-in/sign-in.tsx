import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { useAction, useRefresh } from '../../api/queries'
import { Card } from '../../kit/card'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'

export default function SignIn() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [, go] = useLocation()
  const refresh = useRefresh()
  const action = useAction({
    run: () => api.post('/api/auth/sign-in', { body: { email, password } }),
    onDone: () => {
      refresh('/dashboard')
      go(new URLSearchParams(location.search).get('next') ?? '/projects', { replace: true })
    },
  })
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center p-4">
      <Card title="svc">
        <Form submit="Sign in" busy={action.busy} error={action.error} onSubmit={() => action.submit(undefined)}>
          <Field label="Email" name="email">
            <TextInput type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
          </Field>
          <Field label="Password" name="password">
            <TextInput type="password" value={password} onChange={(event) => setPassword(event.target.value)} />
          </Field>
        </Form>
      </Card>
    </main>
  )
}

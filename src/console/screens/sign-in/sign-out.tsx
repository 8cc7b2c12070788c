import { useEffect } from 'react'
import { api } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { queries, useAction } from '../../api/queries'
import { personHere } from '../../api/session-end'
import { LinkButton } from '../../kit/button'
import { forgetDrafts } from '../../kit/draft'
import { Failure } from '../../kit/failure'
import { stopExports } from '../../kit/running-exports'
import { useText } from '../../text/catalogue'
import { Outside } from './outside'
import { ownPath, signInAt } from './own-path'

/** Ends the session, and forgets what this page has read. */
export default function SignOut() {
  const t = useText('signIn')
  const next = ownPath(new URLSearchParams(location.search).get('next'))
  const action = useAction({
    run: () => {
      stopExports()
      personHere.set(null)
      return api.post('/api/auth/sign-out', { body: {} }).catch(nobodyWasIn)
    },
    onDone: () => {
      queries.clear()
      forgetDrafts()
    },
  })
  const { submit } = action
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens.
  useEffect(() => submit(undefined), [])
  if (action.error) {
    return (
      <Outside title={t.signingOut}>
        <Failure error={action.error} onRetry={() => submit(undefined)} />
      </Outside>
    )
  }
  if (!action.result) return <Outside title={t.signingOut} />
  return (
    <Outside title={t.signedOut}>
      <LinkButton href={signInAt(next)} variant="primary">
        {t.signIn}
      </LinkButton>
    </Outside>
  )
}

const nobodyWasIn = (error: unknown) => {
  if (error instanceof ApiFailure && error.status === 401) return { signedOut: true as const }
  throw error
}

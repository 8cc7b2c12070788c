import { useLocation, useParams } from 'wouter'
import { api } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, LinkButton } from '../../kit/button'
import { Facts } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure, FormFailure } from '../../kit/failure'
import { useText } from '../../text/catalogue'
import { useEntered } from './entered'
import { Outside } from './outside'
import { signInAt } from './own-path'

/** `/join/:token`: what an invitation offers, and accepting it. */
export default function Join() {
  const t = useText('signIn')
  const { token } = useParams<{ token: string }>()
  const invitation = useRead('/invitations/{token}', { params: { path: { token } } })
  const me = useRead('/dashboard/me', {})
  const isNobody = me.error instanceof ApiFailure && me.error.status === 401
  if (invitation.error instanceof ApiFailure && invitation.error.status === 404)
    return <Outside title={t.joinLost} hint={t.joinLostHint} />
  const error = invitation.error ?? (isNobody ? null : me.error)
  if (error && !(invitation.data && (me.data || isNobody))) {
    return (
      <Outside title={t.join}>
        <Failure error={error} onRetry={() => void Promise.all([invitation.refetch(), me.refetch()])} />
      </Outside>
    )
  }
  if (!invitation.data || !(me.data || isNobody)) {
    return (
      <Outside title={t.join}>
        <Skeleton lines={3} />
      </Outside>
    )
  }
  const { projectName, role, email, state } = invitation.data
  return (
    <Outside title={t.joinTitle(projectName)} hint={t.joinHint(t.roles[role])}>
      <Facts items={[[t.invitedAs, email], ...(me.data ? [[t.signedInAs, me.data.email] as const] : [])]} />
      {state === 'OPEN' ? (
        <Ways token={token} invited={email} me={me.data ?? null} projectName={projectName} />
      ) : (
        <>
          <p>{t.joinStates[state]}</p>
          <LinkButton href="/">{t.openProjects}</LinkButton>
        </>
      )}
    </Outside>
  )
}

interface WaysProps {
  token: string
  invited: string
  me: Schemas['Me'] | null
  projectName: string
}

function Ways({ token, invited, me, projectName }: WaysProps) {
  const t = useText('signIn')
  const [, go] = useLocation()
  const here = `/join/${token}`
  if (!me) {
    const query = new URLSearchParams({ invitation: token, email: invited })
    return (
      <div className="grid gap-2">
        <Button variant="primary" onClick={() => go(`/sign-up?${query}`)}>
          {t.signUp}
        </Button>
        <Button onClick={() => go(signInAt(here))}>{t.signIn}</Button>
      </div>
    )
  }
  if (me.email.toLowerCase() !== invited.toLowerCase()) {
    return (
      <>
        <p>{t.otherPerson(invited)}</p>
        <Button onClick={() => go(`/sign-out?next=${encodeURIComponent(here)}`)}>{t.signOutElsewhere}</Button>
      </>
    )
  }
  return <Accept token={token} projectName={projectName} />
}

function Accept({ token, projectName }: { token: string; projectName: string }) {
  const t = useText('signIn')
  const entered = useEntered()
  const action = useAction({
    run: () => api.post('/invitations/{token}/accept', { params: { path: { token } }, body: {} }),
    onDone: () => entered('/projects'),
  })
  return (
    <>
      <FormFailure error={action.error} />
      <Button variant="primary" busy={action.busy} onClick={() => action.submit(undefined)}>
        {t.joinTitle(projectName)}
      </Button>
    </>
  )
}

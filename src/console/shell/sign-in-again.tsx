import { useContext, useEffect, useState } from 'react'
import { queries } from '../api/queries'
import { endWaiting, personHere, signInReason } from '../api/session-end'
import { Dialog } from '../kit/dialog'
import { SessionContext } from '../lib/session'
import { CodeStep, PasswordStep } from '../screens/sign-in/steps'
import { useText } from '../text/catalogue'

/** The session has ended under an open page: the person signs in on top of it, and what waited continues. */
export default function SignInAgain() {
  const t = useText('common')
  const session = useContext(SessionContext)
  const [isSecond, setSecond] = useState(false)
  const reason = signInReason.use()
  useBackFromElsewhere()
  const goOn = (id: string) => {
    // Another person must not get the text that this person has typed.
    if (id !== personHere.get()) return location.assign('/')
    endWaiting(true)
    void queries.invalidateQueries()
  }
  return (
    <Dialog title={reason?.title ?? t.sessionEndedTitle} onClose={() => endWaiting(false)}>
      <p className="text-sm text-ink-2">{reason?.text ?? t.sessionEnded}</p>
      {isSecond ? (
        <CodeStep onUser={({ id }) => goOn(id)} />
      ) : (
        <PasswordStep
          {...(session && { fixedEmail: session.me.email })}
          onUser={({ id }) => goOn(id)}
          onNext={() => setSecond(true)}
        />
      )}
      <p className="text-xs text-ink-2">
        <a
          href="/sign-in"
          target="_blank"
          rel="noopener"
          className="inline-flex min-h-6 items-center font-medium text-accent underline-offset-2 hover:underline"
        >
          {t.signInElsewhere}
        </a>
      </p>
    </Dialog>
  )
}

/** The person may sign in in another tab, with a passkey or a provider, and come back here. */
function useBackFromElsewhere(): void {
  useEffect(() => {
    const look = async () => {
      // The session is there all the time when only a newer one is needed.
      if (document.hidden || signInReason.get() !== null) return
      const answer = await fetch('/dashboard/me', { cache: 'no-store' }).catch(() => null)
      if (!answer?.ok) return
      const { data } = (await answer.json()) as { data: { id: string } }
      if (data.id !== personHere.get()) return location.assign('/')
      endWaiting(true)
      void queries.invalidateQueries()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
}

import type { ReactNode } from 'react'
import { Button } from '../../kit/button'
import { Failure } from '../../kit/failure'
import { Time } from '../../kit/values'
import { type Intent, wordsOf } from '../../lib/intent'
import { useText } from '../../text/catalogue'
import type { Trouble } from './use-intent'
import { useWho } from './use-who'

export function Words({ intent }: { intent: Intent }) {
  const t = useText('intents')
  const words = wordsOf(intent)
  if (words === null) return null
  return (
    <figure className="rounded-control border border-line bg-sunken px-3 py-2">
      <blockquote className="wrap-anywhere">“{words}”</blockquote>
      <figcaption className="text-xs text-ink-2">{t.unchecked}</figcaption>
    </figure>
  )
}

export function Decided({ intent: { decidedBy, decidedAt } }: { intent: Intent }) {
  const name = useWho()(decidedBy)
  if (decidedAt === null) return null
  return (
    <span>
      {name} <Time at={decidedAt} />
    </span>
  )
}

export function TroubleNote({ trouble, onSignIn }: { trouble: Trouble; onSignIn: () => void }) {
  const t = useText('intents')
  if (trouble.kind === 'other') return <Failure error={trouble.error} />
  if (trouble.kind === 'stale') return <Note>{t.stale(trouble.objects.join(', '))}</Note>
  if (trouble.kind === 'settled') return <Note>{t.settled}</Note>
  return (
    <Note>
      {t.needsSignIn} <Button onClick={onSignIn}>{t.signIn}</Button>
    </Note>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <div role="alert" className="flex flex-wrap items-center gap-2 rounded-control bg-warn-soft px-3 py-2 text-warn">
    {children}
  </div>
)

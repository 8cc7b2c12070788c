import { useState } from 'react'
import { ApiFailure } from '../../api/failure'
import { executeIntent, INTENTS, rejectIntent, reviseIntent } from '../../api/intents'
import { useAction, useRefresh } from '../../api/queries'
import { signInAgain } from '../../api/session-end'
import type { Intent } from '../../lib/intent'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Why the server did not do it although the person may. */
export type Trouble =
  | { kind: 'stale'; objects: readonly string[] }
  | { kind: 'signIn' }
  | { kind: 'settled' }
  | { kind: 'other'; error: Error }

/** An intent and its actions. A revised intent replaces the one before on the screen. */
export function useIntent(given: Intent, onRevised?: (intent: Intent) => void) {
  const { path } = useProject()
  const t = useText('intents')
  const refresh = useRefresh()
  const [own, setOwn] = useState<Intent | null>(null)
  const intent = newerOf(given, own)
  const options = { refreshes: [INTENTS], onDone: setOwn }
  const execute = useAction({
    ...options,
    refreshes: ['/dashboard'],
    run: () => executeIntent(path, intent.id, { digest: intent.digest }),
    onFailure: () => refresh(INTENTS),
  })
  const reject = useAction({ ...options, run: () => rejectIntent(path, intent.id) })
  const revise = useAction({
    ...options,
    run: (args: Intent['arguments']) => reviseIntent(path, intent.id, { arguments: args }),
    onDone: (next) => {
      setOwn(next)
      onRevised?.(next)
    },
  })
  const { error } = execute
  return {
    intent,
    trouble: troubleOf(error ?? reject.error ?? revise.error),
    reviseError: revise.error,
    isBusy: execute.busy || reject.busy || revise.busy,
    execute: () => execute.submit(undefined),
    reject: () => reject.submit(undefined),
    revise: (args: Intent['arguments']) => {
      execute.reset()
      reject.reset()
      revise.submit(args)
    },
    /** Signs in on top of the screen, and executes then. */
    signIn: async () => {
      if (await signInAgain({ title: t.freshSignInTitle, text: t.freshSignIn })) execute.submit(undefined)
    },
  }
}

/** What the person has just done here wins until the list of the server has it too. */
function newerOf(given: Intent, own: Intent | null): Intent {
  if (!own) return given
  if (own.id !== given.id) return own
  return given.status === 'PENDING' ? own : given
}

function troubleOf(error: Error | null): Trouble | null {
  if (!error) return null
  if (!(error instanceof ApiFailure)) return { kind: 'other', error }
  const { code, details } = error
  if (code === 'CONFLICT' && details.reason === 'stale') return { kind: 'stale', objects: namesOf(details.objects) }
  if (code === 'FORBIDDEN' && (details.reason === 'sign_in' || details.reason === 'session')) return { kind: 'signIn' }
  return code === 'COPILOT_INTENT_SETTLED' ? { kind: 'settled' } : { kind: 'other', error }
}

/** Each object that has changed, by its kind and its id. */
function namesOf(objects: unknown): string[] {
  if (!Array.isArray(objects)) return []
  return objects.map((one) => {
    if (typeof one !== 'object' || one === null) return String(one)
    const { type, id, name } = one as Record<string, unknown>
    return [type, name ?? id].filter((part) => typeof part === 'string').join(' ')
  })
}

import { api } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { FormFailure } from '../../../kit/failure'
import { State } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useEvery } from '../shared/live'
import { Step } from './step'

const PATH = '/dashboard/projects/{projectId}/apps/ios/test-notification'

/** Asks the store for a notification and waits until it arrives. */
export function IosTest({ hasKey }: { hasKey: boolean }) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [values, set] = useParams()
  const token = values.get('test')
  const send = useAction({
    run: (environment: 'production' | 'sandbox') => api.post(PATH, { params: { path }, body: { environment } }),
    onDone: (result) => set({ test: result.token }),
  })
  const reason = hasKey ? null : t.inAppPurchaseNeeded
  return (
    <Step
      number={3}
      title={t.testNotification}
      isDone={false}
      aside={(['sandbox', 'production'] as const).map((one) => (
        <Button key={one} onClick={() => send.submit(one)} busy={send.busy} reason={reason}>
          {t.testIn(common[one])}
        </Button>
      ))}
    >
      <p className="text-ink-2">{t.testHint}</p>
      <FormFailure error={send.error} />
      {token && <Progress token={token} />}
    </Step>
  )
}

const SOON_MS = 2000

function Progress({ token }: { token: string }) {
  const t = useText('connections')
  const { path } = useProject()
  const init = { params: { path: { ...path, token } } }
  const read = useRead(`${PATH}/{token}`, init)
  useEvery(read.data?.status === 'PENDING' ? SOON_MS : null, () => void read.refetch())
  if (read.error && !read.data) return <FormFailure error={read.error} />
  const state = read.data
  if (!state)
    return (
      <State tone="info" live>
        {t.waitingForStore}
      </State>
    )
  const tones = { PENDING: 'info', RECEIVED: 'good', FAILED: 'bad' } as const
  return (
    <div className="grid gap-2" aria-live="polite">
      <State tone={tones[state.status]} live={state.status === 'PENDING'}>
        {t.testStates[state.status]} <Time at={state.receivedAt} />
      </State>
      <ol className="grid gap-1 text-xs text-ink-2">
        {state.attempts.map(({ at, result }) => (
          <li key={at} className="flex gap-2">
            <Time at={at} absolute /> <span className="font-mono">{result}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

import { read } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Facts } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { FormFailure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { State } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { Guide } from './ios'
import { type Credentials, PATHS } from './model'
import { PaymentForm } from './payment-form'
import { Step } from './step'

type Mode = 'test' | 'live'

/** An account that is connected, or keys of the project's own account. */
export function Payment({ credentials: { payment } }: { credentials: Credentials }) {
  const t = useText('connections')
  const [values, set] = useParams()
  const reason = useRights().needsRole('OWNER')
  const isConnected = payment.accountId !== null
  return (
    <>
      <Outcome outcome={values.get('payment')} error={values.get('error')} />
      <Step
        number="A"
        title={t.connectAccount}
        isDone={isConnected}
        aside={!isConnected && <Connect reason={reason} />}
      >
        {isConnected ? <Connected /> : <p className="text-ink-2">{t.connectHint}</p>}
      </Step>
      {!isConnected && (
        <Step
          number="B"
          title={t.ownKeys}
          isDone={payment.configured}
          aside={
            <Button onClick={() => set({ do: 'credentials' }, { push: true })} reason={reason}>
              {payment.configured ? t.changeKeys : t.enterKeys}
            </Button>
          }
        >
          {payment.configured ? (
            <Facts items={[[t.mode, payment.mode && t.modes[payment.mode]]]} />
          ) : (
            <Guide lines={t.paymentGuide} />
          )}
          <PaymentWebhook />
        </Step>
      )}
      {values.get('do') === 'credentials' && (
        <PaymentForm saved={payment} onClose={() => set({ do: null })} reason={reason} />
      )}
    </>
  )
}

/** Where the provider must send its notifications when the project has keys of its own. */
function PaymentWebhook() {
  const t = useText('connections')
  const { path } = useProject()
  return (
    <Facts
      items={[
        [t.webhookOfProvider, <CopyText key="u" text={`${location.origin}/webhooks/payment/${path.projectId}`} />],
      ]}
    />
  )
}

/** With what the provider has sent the person back. */
function Outcome({ outcome, error }: { outcome: string | null; error: string | null }) {
  const t = useText('connections')
  if (outcome === 'connected') return <State tone="good">{t.paymentConnected}</State>
  if (outcome === 'denied') return <State tone="warn">{t.paymentDenied}</State>
  if (outcome !== 'failed') return null
  return (
    <div role="alert" className="grid gap-1">
      <State tone="bad">{t.paymentFailed}</State>
      {error !== null && <Because>{error}</Because>}
    </div>
  )
}

function Connect({ reason }: { reason: string | null }) {
  const t = useText('connections')
  const { path, base } = useProject()
  const begin = useAction({
    run: (mode: Mode) =>
      read(`${PATHS.payment}/connect`, {
        params: { path, query: { mode, returnUrl: `${base}/connections/stores/payment` } },
      }),
    onDone: ({ url }) => location.assign(url),
  })
  return (
    <>
      {(['test', 'live'] as const).map((mode) => (
        <Button
          key={mode}
          variant={mode === 'live' ? 'primary' : 'plain'}
          onClick={() => begin.submit(mode)}
          busy={begin.busy}
          reason={reason}
        >
          {t.connectIn(t.modes[mode])}
        </Button>
      ))}
      <FormFailure error={begin.error} />
    </>
  )
}

function Connected() {
  const t = useText('connections')
  const { path } = useProject()
  const connection = useRead(`${PATHS.payment}/connection`, { params: { path } })
  if (connection.error && !connection.data) return <FormFailure error={connection.error} />
  if (!connection.data) return null
  const { accountId, mode, chargesEnabled, connectedAt } = connection.data
  return (
    <Facts
      items={[
        [t.account, <CopyText key="a" text={accountId} />],
        [t.mode, t.modes[mode]],
        [
          t.charges,
          <State key="c" tone={chargesEnabled ? 'good' : 'bad'}>
            {chargesEnabled ? t.chargesOn : t.chargesOff}
          </State>,
        ],
        [t.connectedAt, <Time key="t" at={connectedAt} />],
      ]}
    />
  )
}

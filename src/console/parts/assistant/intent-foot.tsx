import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/button'
import { Confirm } from '../../kit/dialog'
import { formatMoney } from '../../lib/format'
import type { Intent, IntentStatus } from '../../lib/intent'
import { commandKeys } from '../../lib/keys'
import { useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { IntentFacts } from './intent-facts'
import { ReviseIntent } from './revise-intent'
import type { useIntent } from './use-intent'

interface FootProps {
  deed: ReturnType<typeof useIntent>
  status: IntentStatus
  reason: string | null
  onConfirm: () => void
}

/** What can be done with a change, by its state and its risk. */
export function Foot({ deed, status, reason, onConfirm }: FootProps) {
  const t = useText('intents')
  const { intent, isBusy } = deed
  const [isRevising, setRevising] = useState(false)
  if (status === 'FAILED' || status === 'EXPIRED')
    return (
      <Bar>
        <Button busy={isBusy} onClick={() => deed.revise(intent.arguments)}>
          {t.prepareAgain}
        </Button>
      </Bar>
    )
  if (status !== 'PENDING') return null
  return (
    <Bar>
      <Button variant="quiet" className="mr-auto max-md:min-h-11" onClick={() => setRevising(true)}>
        {t.changeIt}
      </Button>
      <Button busy={isBusy} className="max-md:min-h-11" onClick={deed.reject}>
        {t.reject}
      </Button>
      {intent.risk === 'high' ? (
        <Button variant="danger" busy={isBusy} reason={reason} className="max-md:min-h-11" onClick={onConfirm}>
          <ApproveWords intent={intent} />
        </Button>
      ) : (
        <Button variant="primary" busy={isBusy} reason={reason} className="max-md:min-h-11" onClick={deed.execute}>
          {t.approve}
          <kbd aria-hidden className="rounded-chip border border-current px-1 font-sans text-2xs">
            {commandKeys('⏎')}
          </kbd>
        </Button>
      )}
      {isRevising && <ReviseIntent deed={deed} onClose={() => setRevising(false)} />}
    </Bar>
  )
}

const Bar = ({ children }: { children: ReactNode }) => (
  <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-3 py-2">{children}</footer>
)

function useApproveWords(): (intent: Intent) => string {
  const t = useText('intents')
  const reading = useReading()
  return ({ preview }) => {
    const { money } = preview.effects
    return money ? t.approveMoney(formatMoney(reading, money.amountMicros, money.currency)) : t.approve
  }
}

const ApproveWords = ({ intent }: { intent: Intent }) => <>{useApproveWords()(intent)}</>

/** A high-risk change is confirmed in a dialog that repeats its effect. */
export function SecondPress({ deed, onClose }: { deed: ReturnType<typeof useIntent>; onClose: () => void }) {
  const t = useText('intents')
  const { intent, isBusy } = deed
  const words = useApproveWords()
  return (
    <Confirm
      title={intent.summary}
      action={words(intent)}
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => {
        onClose()
        deed.execute()
      }}
    >
      <p>{t.secondPress}</p>
      <IntentFacts intent={intent} />
    </Confirm>
  )
}

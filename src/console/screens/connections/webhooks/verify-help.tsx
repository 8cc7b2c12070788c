import { Card } from '../../../kit/card'
import { Code } from '../../../kit/copy'
import { useText } from '../../../text/catalogue'
import type { Endpoint } from './model'

/** How a receiver knows that a request is ours. */
export function VerifyHelp({ endpoint: { format } }: { endpoint: Endpoint }) {
  const t = useText('connections')
  return (
    <Card title={t.verify}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm text-ink-2">
        <p>{format === 'standard' ? t.verifyHint : t.formatHints.revenuecat}</p>
        {format === 'standard' && <Code text={'webhook-id\nwebhook-timestamp\nwebhook-signature'} />}
        <p>{t.attemptsHint}</p>
      </div>
    </Card>
  )
}

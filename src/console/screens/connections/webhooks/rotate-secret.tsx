import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Code } from '../../../kit/copy'
import { Confirm, SecretShown } from '../../../kit/dialog'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { onceHeaders, randomKey } from '../../../lib/use-once'
import { useText } from '../../../text/catalogue'
import { type Endpoint, PATH } from './model'

interface RotateSecretProps {
  endpoint: Endpoint
  onClose: () => void
  reason: string | null
}

export function RotateSecret({ endpoint, onClose, reason }: RotateSecretProps) {
  const t = useText('connections')
  const { path } = useProject()
  const [key] = useState(randomKey)
  const rotate = useAction({
    run: () =>
      api.post(`${PATH}/{id}/rotate-secret`, {
        params: { path: { ...path, id: endpoint.id }, header: onceHeaders(key, endpoint.revision) },
        body: {},
      }),
    refreshes: [PATH],
  })
  if (rotate.result) {
    return (
      <SecretShown title={t.secretOf} onClose={onClose}>
        <Code text={rotate.result.secret} label={t.signingSecret} />
        <p className="text-sm text-ink-2">
          {t.previousUntil} <Time at={rotate.result.previousValidUntil} absolute />
        </p>
      </SecretShown>
    )
  }
  return (
    <Confirm
      title={t.rotateSecret}
      action={t.rotateSecret}
      onConfirm={() => rotate.submit(undefined)}
      onClose={onClose}
      busy={rotate.busy}
      error={rotate.error}
      reason={reason}
    >
      <p>{t.rotateHint}</p>
      {endpoint.previousValidUntil !== null && (
        <div role="note" className="grid gap-1 rounded-control bg-warn-soft px-3 py-2 text-sm">
          <p className="font-medium text-warn">
            {t.rotationRuns} <Time at={endpoint.previousValidUntil} absolute />
          </p>
          <p className="text-ink-2">{t.rotateAgainMeans}</p>
        </div>
      )}
    </Confirm>
  )
}

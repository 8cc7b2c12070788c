import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Code } from '../../../kit/copy'
import { Dialog, SecretShown } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useOnce } from '../../../lib/use-once'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { EndpointFields, useEndpointRefusal } from './endpoint-fields'
import { bodyOf, EMPTY_DRAFT, PATH } from './model'

/** A new endpoint; its secret is shown once, then its screen. */
export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const t = useText('connections')
  const { path, base } = useProject()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const reason = useRights().needs('webhooks:write')
  // The secret is shown once: when the answer is lost, the same form gets the same endpoint and its secret.
  const once = useOnce()
  const body = bodyOf(draft)
  const create = useAction({
    run: () => once(body, (header) => api.post(PATH, { params: { path, header }, body })),
    refreshes: [PATH],
  })
  const error = useEndpointRefusal(create.error)
  if (create.result) {
    const { id, secret } = create.result
    return (
      <SecretShown title={t.secretOf} onClose={() => navigate(`${base}/connections/webhooks/${id}`)}>
        <Code text={secret} label={t.signingSecret} />
        <p className="text-sm text-ink-2">{t.signingSecretHint}</p>
      </SecretShown>
    )
  }
  return (
    <Dialog title={t.newEndpoint} kind="sheet" onClose={onClose}>
      <Form
        onSubmit={() => create.submit(undefined)}
        submit={t.createEndpoint}
        busy={create.busy}
        error={error}
        onCancel={onClose}
        reason={reason}
      >
        <EndpointFields draft={draft} onChange={setDraft} />
      </Form>
    </Dialog>
  )
}

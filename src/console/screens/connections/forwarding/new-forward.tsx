import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Dialog } from '../../../kit/dialog'
import { Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { detailOf, usePlaced } from '../shared/refusal'

interface NewForwardProps {
  onClose: () => void
  reason: string | null
}

export function NewForward({ onClose, reason }: NewForwardProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [draft, setDraft] = useState<Schemas['NotificationForwardRequest']>({ store: 'IOS_STORE', url: '' })
  const add = useAction({
    run: () => api.post(PATH, { params: { path }, body: draft }),
    refreshes: [PATH],
    onDone: onClose,
  })
  const error = usePlaced(
    add.error,
    (name) => name,
    (failure): Record<string, string> => {
      const reasons: Record<string, string> = t.urlReasons
      if (failure.code !== 'WEBHOOK_URL_REJECTED') return {}
      return { url: reasons[detailOf(failure, 'reason')] ?? failure.message }
    },
  )
  return (
    <Dialog title={t.newForward} kind="sheet" onClose={onClose}>
      <Form
        onSubmit={() => add.submit(undefined)}
        submit={common.add}
        busy={add.busy}
        error={error}
        onCancel={onClose}
        reason={reason}
      >
        <Field label={common.store} name="store">
          <Select
            value={draft.store}
            onChange={({ target }) => setDraft({ ...draft, store: target.value as typeof draft.store })}
            options={(['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const).map((one) => [one, common.storeNames[one]])}
          />
        </Field>
        <Field label={t.url} name="url" hint={t.forwardUrlHint}>
          <TextInput
            data-first
            type="url"
            placeholder="https://"
            value={draft.url}
            onChange={({ target }) => setDraft({ ...draft, url: target.value })}
          />
        </Field>
      </Form>
    </Dialog>
  )
}

export const PATH = '/dashboard/projects/{projectId}/notification-forwards'

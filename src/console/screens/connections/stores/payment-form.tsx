import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useRefresh } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Field, Select, Switch, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { ProjectFilePart } from '../../../kit/project-file'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { paymentAsFile } from '../as-file'
import { newerRevision } from '../shared/conflict'
import { type Credentials, PATHS } from './model'
import { useCredentialsRefusal } from './refusal'
import { StoreConflict } from './store-conflict'

interface PaymentFormProps {
  saved: Credentials['payment']
  onClose: () => void
  reason: string | null
}

export function PaymentForm({ saved, onClose, reason }: PaymentFormProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [draft, setDraft] = useState({ secretKey: '', webhookSecret: '', mode: saved.mode ?? ('test' as const) })
  const [isProbed, setProbed] = useState(true)
  const [begun] = useState(saved.revision)
  const refresh = useRefresh()
  const save = useAction({
    run: (revision: number) =>
      api.put(`${PATHS.credentials}/payment`, {
        params: { path, query: isProbed ? {} : { probe: 'false' }, header: { 'If-Match': `"${revision}"` } },
        body: draft,
      }),
    refreshes: [PATHS.credentials, PATHS.apps],
    onDone: () => {
      toast(isProbed ? t.savedAndTried : common.saved)
      onClose()
    },
  })
  const error = useCredentialsRefusal(save.error)
  return (
    <Dialog title={t.ownKeys} kind="sheet" onClose={onClose}>
      <StoreConflict
        error={save.error}
        onLoad={() => {
          refresh(PATHS.credentials, PATHS.apps)
          onClose()
        }}
        onOverwrite={save.submit}
      />
      <Form
        onSubmit={() => save.submit(begun)}
        submit={isProbed ? t.tryAndSave : common.save}
        busy={save.busy}
        error={newerRevision(save.error) === null ? error : null}
        onCancel={onClose}
        reason={reason}
      >
        <Field label={t.mode} name="mode" hint={t.modeHint}>
          <Select
            value={draft.mode}
            onChange={({ target }) => setDraft({ ...draft, mode: target.value === 'live' ? 'live' : 'test' })}
            options={[
              ['test', t.modes.test],
              ['live', t.modes.live],
            ]}
          />
        </Field>
        <Field label={t.secretKey} name="secretKey" hint={t.secretKeyHint}>
          <TextInput
            data-first
            type="password"
            autoComplete="new-password"
            value={draft.secretKey}
            onChange={({ target }) => setDraft({ ...draft, secretKey: target.value.trim() })}
            className="font-mono"
          />
        </Field>
        <Field label={t.webhookSecret} name="webhookSecret" hint={t.webhookSecretHint}>
          <TextInput
            type="password"
            autoComplete="new-password"
            value={draft.webhookSecret}
            onChange={({ target }) => setDraft({ ...draft, webhookSecret: target.value.trim() })}
            className="font-mono"
          />
        </Field>
        <Switch checked={isProbed} onChange={setProbed} label={t.probe} />
      </Form>
      <ProjectFilePart
        isInside
        kind="store"
        identifier="payment"
        revision={saved.revision}
        changedAs={
          draft.secretKey !== '' || draft.webhookSecret !== '' || draft.mode !== saved.mode
            ? paymentAsFile(draft.mode)
            : null
        }
      />
    </Dialog>
  )
}

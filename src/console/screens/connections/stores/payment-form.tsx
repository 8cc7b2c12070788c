import { useState } from 'react'
import { api } from '../../../api/client'
import { Field, Select, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { paymentAsFile } from '../as-file'
import { type Credentials, type FormProps, PATHS } from './model'
import { StoreSheet } from './store-sheet'

const SECRETS = ['secretKey', 'webhookSecret'] as const

export function PaymentForm({ saved, onClose, reason }: FormProps<Credentials['payment']>) {
  const t = useText('connections')
  const [draft, setDraft] = useState({
    secretKey: '',
    webhookSecret: '',
    publishableKey: '',
    mode: saved.mode ?? ('test' as const),
  })
  const { secretKey, webhookSecret, publishableKey, mode } = draft
  const isChanged = secretKey !== '' || webhookSecret !== '' || publishableKey !== '' || mode !== saved.mode
  const hints = { secretKey: t.secretKeyHint, webhookSecret: t.webhookSecretHint }
  return (
    <StoreSheet
      store="payment"
      title={t.ownKeys}
      revision={saved.revision}
      save={(params) =>
        api.put(`${PATHS.credentials}/payment`, {
          params,
          body: {
            mode,
            secretKey: secretKey || null,
            webhookSecret: webhookSecret || null,
            ...(publishableKey && { publishableKey }),
          },
        })
      }
      changedAs={isChanged ? paymentAsFile(draft, saved.configured) : null}
      onClose={onClose}
      reason={reason}
    >
      <Field label={t.mode} name="mode" hint={t.modeHint}>
        <Select
          value={mode}
          onChange={({ target }) => setDraft({ ...draft, mode: target.value === 'live' ? 'live' : 'test' })}
          options={(['test', 'live'] as const).map((one) => [one, t.modes[one]])}
        />
      </Field>
      {SECRETS.map((name, index) => (
        <Field key={name} label={t[name]} name={name} hint={saved.configured ? t.keptIfEmpty : hints[name]}>
          <TextInput
            {...(index === 0 && { 'data-first': true })}
            type="password"
            autoComplete="new-password"
            value={draft[name]}
            onChange={({ target }) => setDraft({ ...draft, [name]: target.value.trim() })}
            className="font-mono"
          />
        </Field>
      ))}
      <Field label={t.publishableKey} name="publishableKey" hint={t.publishableKeyHint} isOptional>
        <TextInput
          autoComplete="off"
          value={publishableKey}
          onChange={({ target }) => setDraft({ ...draft, publishableKey: target.value.trim() })}
          className="font-mono"
        />
      </Field>
    </StoreSheet>
  )
}

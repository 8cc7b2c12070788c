import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Code, CopyText } from '../../kit/copy'
import { FormFailure } from '../../kit/failure'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { QrCode } from '../../kit/qr-code'
import { useText } from '../../text/catalogue'

/** Turning on two factors in a fresh session: the key as a picture, a code that proves it, the backup codes. */
export function TwoFactorOffer({ onDone }: { onDone: () => void }) {
  const t = useText('signIn')
  const begin = useAction({ run: () => api.post('/dashboard/me/two-factor/enable', { body: {} }) })
  const [isOn, setOn] = useState(false)
  if (begin.result && isOn) return <BackupCodes codes={begin.result.backupCodes} onDone={onDone} />
  if (begin.result) return <Scan secret={begin.result} onOn={() => setOn(true)} />
  return (
    <>
      <h2 className="text-md font-semibold">{t.offerTitle}</h2>
      <p className="text-sm text-ink-2">{t.offerHint}</p>
      <FormFailure error={begin.error} />
      <Button variant="primary" busy={begin.busy} onClick={() => begin.submit(undefined)} className="h-9">
        {t.offerStart}
      </Button>
    </>
  )
}

function Scan({ secret, onOn }: { secret: Schemas['TwoFactorSecret']; onOn: () => void }) {
  const t = useText('signIn')
  const [code, setCode] = useState('')
  const action = useAction({
    run: () => api.post('/dashboard/me/two-factor/confirm', { body: { code: code.replace(/\s/g, '') } }),
    refreshes: ['/dashboard/me'],
    onDone: onOn,
  })
  const key = new URL(secret.otpauthUrl).searchParams.get('secret') ?? ''
  return (
    <>
      <p className="text-sm text-ink-2">{t.scan}</p>
      <QrCode text={secret.otpauthUrl} label={t.qrLabel} />
      <div className="grid gap-1 text-sm">
        <p className="text-ink-2">{t.scanByHand}</p>
        <CopyText text={key} />
      </div>
      <Form
        isWide
        submit={t.confirmCode}
        busy={action.busy}
        error={action.error}
        onSubmit={() => action.submit(undefined)}
      >
        <Field label={t.code} name="code">
          <TextInput
            inputMode="numeric"
            autoComplete="one-time-code"
            className="font-mono"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      </Form>
    </>
  )
}

function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useText('signIn')
  const common = useText('common')
  return (
    <>
      <h2 className="text-md font-semibold">{t.backupTitle}</h2>
      <p className="text-sm text-ink-2">{t.backupHint}</p>
      <Code text={codes.join('\n')} label={t.copyAll} />
      <Button variant="primary" onClick={onDone} className="h-9">
        {common.stored}
      </Button>
    </>
  )
}

import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Code } from '../../kit/copy'
import { Dialog, SecretShown } from '../../kit/dialog'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { QrCode } from '../../kit/qr-code'
import { State } from '../../kit/state'
import { toast } from '../../kit/toast'
import { useSession } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { CodeField } from './code-field'
import { FormDialog } from './form-dialog'

/** A second factor by an authenticator app. */
export function TwoFactor() {
  const t = useText('account')
  const { me } = useSession()
  const [asked, setAsked] = useParam('do')
  const [codes, setCodes] = useState<string[] | null>(null)
  const close = () => setAsked(null)
  return (
    <Card
      title={t.twoFactor}
      aside={
        <State tone={me.twoFactorEnabled ? 'good' : 'warn'}>
          {me.twoFactorEnabled ? t.twoFactorOn : t.twoFactorOff}
        </State>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-xl text-sm text-ink-2">{t.twoFactorHint}</p>
        <div className="flex flex-wrap gap-2">
          {me.twoFactorEnabled ? (
            <>
              <Button onClick={() => setAsked('codes', { push: true })}>{t.newCodes}</Button>
              <Button onClick={() => setAsked('disable', { push: true })}>{t.disable}</Button>
            </>
          ) : (
            <Button variant="primary" onClick={() => setAsked('enable', { push: true })}>
              {t.enable}
            </Button>
          )}
        </div>
      </div>
      {asked === 'enable' && !me.twoFactorEnabled && <Enable onClose={close} onCodes={setCodes} />}
      {asked === 'codes' && me.twoFactorEnabled && <NewCodes onClose={close} onCodes={setCodes} />}
      {asked === 'disable' && me.twoFactorEnabled && <Disable onClose={close} />}
      {codes && (
        <SecretShown title={t.backupCodes} onClose={() => setCodes(null)}>
          <p className="text-sm text-ink-2">{t.backupCodesHint}</p>
          <Code label={t.backupCodes} text={codes.join('\n')} />
        </SecretShown>
      )}
    </Card>
  )
}

interface StepProps {
  onClose: () => void
  onCodes: (codes: string[]) => void
}

function Enable({ onClose, onCodes }: StepProps) {
  const t = useText('account')
  const [secret, setSecret] = useState<Schemas['TwoFactorSecret'] | null>(null)
  return (
    <Dialog title={t.enable} onClose={onClose}>
      {secret === null ? (
        <AskPassword onClose={onClose} onDone={setSecret} />
      ) : (
        <Scan
          secret={secret}
          onClose={onClose}
          onDone={() => {
            onClose()
            onCodes(secret.backupCodes)
          }}
        />
      )}
    </Dialog>
  )
}

interface AskProps {
  onClose: () => void
  onDone: (secret: Schemas['TwoFactorSecret']) => void
}

function AskPassword({ onClose, onDone }: AskProps) {
  const t = useText('account')
  const c = useText('common')
  const { me } = useSession()
  const [password, setPassword] = useState('')
  const action = useAction({
    run: () => api.post('/dashboard/me/two-factor/enable', { body: me.hasPassword ? { password } : {} }),
    onDone,
  })
  return (
    <Form
      submit={c.next}
      busy={action.busy}
      error={action.error}
      onCancel={onClose}
      onSubmit={() => action.submit(undefined)}
    >
      {me.hasPassword ? (
        <Field label={t.currentPassword} hint={t.askedAgain} name="password">
          <TextInput
            data-first
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      ) : (
        <p className="text-sm text-ink-2">{t.needsFreshSession}</p>
      )}
    </Form>
  )
}

interface ScanProps {
  secret: Schemas['TwoFactorSecret']
  onClose: () => void
  onDone: () => void
}

function Scan({ secret, onClose, onDone }: ScanProps) {
  const t = useText('account')
  const [code, setCode] = useState('')
  const action = useAction({
    run: () => api.post('/dashboard/me/two-factor/confirm', { body: { code } }),
    refreshes: ['/dashboard/me'],
    onDone: () => {
      onDone()
      toast(t.twoFactorOn)
    },
  })
  const key = new URL(secret.otpauthUrl).searchParams.get('secret') ?? ''
  return (
    <>
      <p className="text-sm text-ink-2">{t.scan}</p>
      <QrCode text={secret.otpauthUrl} label={t.qrLabel} />
      <Code label={t.typeInstead} text={key} />
      <Form
        submit={t.enable}
        busy={action.busy}
        error={action.error}
        onCancel={onClose}
        onSubmit={() => action.submit(undefined)}
      >
        <CodeField code={code} onChange={setCode} />
      </Form>
    </>
  )
}

function NewCodes({ onClose, onCodes }: StepProps) {
  const t = useText('account')
  const [code, setCode] = useState('')
  const action = useAction<void, { backupCodes: string[] }>({
    run: () => api.post('/dashboard/me/two-factor/backup-codes', { body: { code } }),
    onDone: ({ backupCodes }) => {
      onClose()
      onCodes(backupCodes)
    },
  })
  return (
    <FormDialog title={t.newCodes} hint={t.newCodesHint} action={action} onClose={onClose}>
      <CodeField code={code} onChange={setCode} />
    </FormDialog>
  )
}

function Disable({ onClose }: { onClose: () => void }) {
  const t = useText('account')
  const [code, setCode] = useState('')
  const action = useAction<void, unknown>({
    run: () => api.post('/dashboard/me/two-factor/disable', { body: { code } }),
    refreshes: ['/dashboard/me'],
    onDone: () => {
      onClose()
      toast(t.twoFactorOff)
    },
  })
  return (
    <FormDialog title={t.disable} hint={t.disableHint} action={action} isDangerous onClose={onClose}>
      <CodeField code={code} onChange={setCode} />
    </FormDialog>
  )
}

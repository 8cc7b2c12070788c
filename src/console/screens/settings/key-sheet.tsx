import { useState } from 'react'
import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Facts } from '../../kit/card'
import { CopyText, Id } from '../../kit/copy'
import { Confirm, Dialog } from '../../kit/dialog'
import { Field, Select } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { Time } from '../../kit/values'
import { now } from '../../lib/clock'
import { useProject } from '../../lib/session'
import { onceHeaders, randomKey } from '../../lib/use-once'
import { useText } from '../../text/catalogue'
import { type ApiKey, KeyFields, KeyState, type KeyValues, keyChange, keyValues, typedOf } from './key-fields'

interface KeySheetProps {
  apiKey: ApiKey
  reason: string | null
  onClose: () => void
  onRotated: (key: Schemas['ApiKeyWithSecret']) => void
}

const KEYS = '/dashboard/projects/{projectId}/api-keys'

/** One key: its facts, its restrictions, rotation and revocation. */
export function KeySheet({ apiKey, reason, onClose, onRotated }: KeySheetProps) {
  const t = useText('settings')
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null)
  const isRevoked = apiKey.revokedAt !== null
  return (
    <Dialog kind="sheet" title={apiKey.label || t.label} onClose={onClose}>
      <KeyFacts apiKey={apiKey} />
      {!isRevoked && <KeyForm apiKey={apiKey} reason={reason} onClose={onClose} />}
      {!isRevoked && (
        <div className="flex flex-wrap gap-2 border-t border-line pt-4">
          {apiKey.kind !== 'public' && (
            <Button reason={reason} onClick={() => setAsked('rotate')}>
              {t.rotate}
            </Button>
          )}
          <Button variant="danger" reason={reason} onClick={() => setAsked('revoke')}>
            {t.revoke}
          </Button>
        </div>
      )}
      {asked === 'rotate' && (
        <Rotate
          apiKey={apiKey}
          onClose={() => setAsked(null)}
          onDone={(key) => {
            onClose()
            onRotated(key)
          }}
        />
      )}
      {asked === 'revoke' && <Revoke apiKey={apiKey} onClose={() => setAsked(null)} onDone={onClose} />}
    </Dialog>
  )
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const t = useText('settings')
  const c = useText('common')
  const { id, kind, publicKey, secretLast4, lastUsedAt, createdAt, expiresAt, previousUntil, revokedAt } = apiKey
  return (
    <Facts
      items={[
        [c.state, <KeyState key="state" apiKey={apiKey} />],
        [c.id, <Id key="id" id={id} />],
        [t.kind, t.kindName[kind]],
        [t.publicKey, publicKey === null ? null : <CopyText key="public" text={publicKey} />],
        [t.secret, secretLast4 === null ? null : `…${secretLast4}`],
        [t.lastUsed, lastUsedAt === null ? c.never : <Time key="used" at={lastUsedAt} />],
        [c.createdAt, <Time key="created" at={createdAt} />],
        ...(expiresAt === null ? [] : [[t.expires, <Time key="expires" at={expiresAt} absolute />] as const]),
        ...(previousUntil === null
          ? []
          : [[t.oldSecretUntil, <Time key="previous" at={previousUntil} absolute />] as const]),
        ...(revokedAt === null ? [] : [[t.keyState.revoked, <Time key="revoked" at={revokedAt} />] as const]),
      ]}
    />
  )
}

function KeyForm({ apiKey, reason, onClose }: Omit<KeySheetProps, 'onRotated'>) {
  const c = useText('common')
  const { path } = useProject()
  const saved = keyValues(apiKey)
  const [typed, setTyped] = useState<Partial<KeyValues>>({})
  const values = { ...saved, ...typed }
  const action = useAction({
    run: () =>
      api.patch('/dashboard/projects/{projectId}/api-keys/{keyId}', {
        params: { path: { ...path, keyId: apiKey.id }, header: { 'If-Match': `"${apiKey.revision}"` } },
        body: keyChange(values, saved),
      }),
    refreshes: [KEYS],
    onDone: (saved) => {
      onClose()
      toast(c.savedName(saved.label))
    },
  })
  return (
    <Form
      submit={c.save}
      busy={action.busy}
      error={action.error}
      reason={reason}
      onSubmit={() => action.submit(undefined)}
    >
      <KeyFields values={values} onChange={(next) => setTyped(typedOf(next, saved))} disabled={reason !== null} />
    </Form>
  )
}

const OVERLAPS = [24, 168, 72, 1, 0] as const

interface RotateProps {
  apiKey: ApiKey
  onClose: () => void
  onDone: (key: Schemas['ApiKeyWithSecret']) => void
}

function Rotate({ apiKey, onClose, onDone }: RotateProps) {
  const t = useText('settings')
  const { path } = useProject()
  const [hours, setHours] = useState('24')
  const [key] = useState(randomKey)
  const action = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/api-keys/{keyId}/rotate', {
        params: { path: { ...path, keyId: apiKey.id }, header: onceHeaders(`${key}:${hours}`, apiKey.revision) },
        body: { overlapHours: Number(hours) },
      }),
    refreshes: [KEYS],
    onDone,
  })
  return (
    <Confirm
      title={t.rotateTitle(apiKey.label)}
      action={t.rotate}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.rotateEffect}</p>
      <StillRotating apiKey={apiKey} />
      <Field label={t.overlap} hint={hours === '0' ? t.overlapNone : t.overlapHint}>
        <Select
          value={hours}
          options={OVERLAPS.toSorted((a, b) => a - b).map((one) => [String(one), t.hours(one)] as const)}
          onChange={(event) => setHours(event.target.value)}
        />
      </Field>
    </Confirm>
  )
}

/** Only one secret of before is kept: what a second rotation does to servers that still hold it. */
function StillRotating({ apiKey: { previousUntil } }: { apiKey: ApiKey }) {
  const t = useText('settings')
  if (previousUntil === null || Date.parse(previousUntil) <= now()) return null
  return (
    <p role="alert" className="text-warn">
      {t.rotateAgain} {t.oldSecretUntil} <Time at={previousUntil} absolute />.
    </p>
  )
}

function Revoke({ apiKey, onClose, onDone }: { apiKey: ApiKey; onClose: () => void; onDone: () => void }) {
  const t = useText('settings')
  const { path } = useProject()
  const action = useAction({
    run: () =>
      api.delete('/dashboard/projects/{projectId}/api-keys/{keyId}', {
        params: { path: { ...path, keyId: apiKey.id }, header: { 'If-Match': `"${apiKey.revision}"` } },
      }),
    refreshes: [KEYS],
    onDone: () => {
      onDone()
      toast(t.revoked)
    },
  })
  return (
    <Confirm
      title={t.revokeTitle(apiKey.label)}
      action={t.revoke}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.revokeEffect}</p>
      <Facts
        items={[
          [t.publicKey, apiKey.publicKey],
          [t.lastUsed, apiKey.lastUsedAt === null ? null : <Time key="used" at={apiKey.lastUsedAt} />],
        ]}
      />
    </Confirm>
  )
}

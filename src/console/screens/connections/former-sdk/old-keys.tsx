import { useState } from 'react'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Confirm, Dialog } from '../../../kit/dialog'
import { Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useText } from '../../../text/catalogue'
import { PLATFORMS, type Settings } from './model'
import { useChange } from './switch'

type OldKey = Settings['oldKeys'][number]
type Platform = OldKey['platform']

interface OldKeysProps {
  settings: Settings
  reason: string | null
}

const keptOf = (keys: readonly OldKey[]) => keys.map(({ id, platform }) => ({ id, platform }))

/** Keys that apps have from the former vendor; only their last characters are known. */
export function OldKeys({ settings, reason }: OldKeysProps) {
  const t = useText('moving')
  const common = useText('common')
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<OldKey | null>(null)
  return (
    <Card
      title={t.oldKeys}
      aside={
        <Button onClick={() => setAdding(true)} reason={reason}>
          {common.add}
        </Button>
      }
      footer={t.oldKeysHint}
    >
      {settings.oldKeys.length === 0 && <p className="text-sm text-ink-2">{t.noOldKeys}</p>}
      <ul className="divide-y divide-line">
        {settings.oldKeys.map((key) => (
          <li key={key.id} className="flex min-h-9 items-center justify-between gap-3 py-1 text-sm">
            <KeyName oldKey={key} />
            <Button
              variant="quiet"
              onClick={() => setLeaving(key)}
              reason={reason}
              aria-label={`${common.remove} …${key.last4}`}
            >
              {common.remove}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding && <AddKey settings={settings} reason={reason} onClose={() => setAdding(false)} />}
      {leaving && <RemoveKey settings={settings} leaving={leaving} onClose={() => setLeaving(null)} />}
    </Card>
  )
}

function KeyName({ oldKey: { platform, last4 } }: { oldKey: OldKey }) {
  const { sdkPlatforms } = useText('moving')
  return (
    <span>
      {sdkPlatforms[platform]} <span className="font-mono text-xs">…{last4}</span>
    </span>
  )
}

function AddKey({ settings, reason, onClose }: OldKeysProps & { onClose: () => void }) {
  const t = useText('moving')
  const common = useText('common')
  const [draft, setDraft] = useState<{ key: string; platform: Platform }>({ key: '', platform: 'ios' })
  const change = useChange(settings, onClose)
  return (
    <Dialog title={t.addOldKey} kind="sheet" onClose={onClose}>
      <Form
        onSubmit={() => change.submit({ oldKeys: [...keptOf(settings.oldKeys), draft] })}
        submit={common.add}
        busy={change.busy}
        error={change.error}
        onCancel={onClose}
        reason={reason}
      >
        <Field label={common.platform} name="platform">
          <Select
            value={draft.platform}
            onChange={({ target }) => setDraft({ ...draft, platform: target.value as Platform })}
            options={PLATFORMS.map((one) => [one, t.sdkPlatforms[one]])}
          />
        </Field>
        <Field label={t.oldKey} name="oldKeys" hint={t.oldKeyHint}>
          <TextInput
            data-first
            value={draft.key}
            onChange={({ target }) => setDraft({ ...draft, key: target.value })}
            className="font-mono"
          />
        </Field>
      </Form>
    </Dialog>
  )
}

interface RemoveKeyProps {
  settings: Settings
  leaving: OldKey
  onClose: () => void
}

function RemoveKey({ settings, leaving, onClose }: RemoveKeyProps) {
  const t = useText('moving')
  const common = useText('common')
  const change = useChange(settings, onClose)
  const others = settings.oldKeys.filter(({ id }) => id !== leaving.id)
  return (
    <Confirm
      title={t.removeOldKey}
      action={common.remove}
      onConfirm={() => change.submit({ oldKeys: keptOf(others) })}
      onClose={onClose}
      busy={change.busy}
      error={change.error}
    >
      <p>{t.removeOldKeyHint}</p>
      <p>
        <KeyName oldKey={leaving} />
      </p>
    </Confirm>
  )
}

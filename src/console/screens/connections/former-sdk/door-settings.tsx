import { useState } from 'react'
import { Button } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { Dialog } from '../../../kit/dialog'
import { Field, Select, Switch } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useText } from '../../../text/catalogue'
import type { Settings } from './model'
import { useChange } from './switch'

interface DoorSettingsProps {
  settings: Settings
  reason: string | null
}

type Draft = Pick<Settings, 'restoreBehavior' | 'logCalls' | 'testStore'>

/** What happens in restores, what is counted, and whether keys of the test store are accepted. */
export function DoorSettings({ settings, reason }: DoorSettingsProps) {
  const t = useText('moving')
  const common = useText('common')
  const [isEditing, setEditing] = useState(false)
  const onOff = (isOn: boolean) => (isOn ? common.on : common.off)
  return (
    <Card
      title={t.sdkSettings}
      aside={
        <Button onClick={() => setEditing(true)} reason={reason}>
          {common.edit}
        </Button>
      }
    >
      <Facts
        items={[
          [t.purchaseOfOther, t.restoreBehaviors[settings.restoreBehavior]],
          [t.countCalls, onOff(settings.logCalls)],
          [t.acceptTestStore, onOff(settings.testStore)],
        ]}
      />
      {isEditing && <EditSettings settings={settings} reason={reason} onClose={() => setEditing(false)} />}
    </Card>
  )
}

function EditSettings({ settings, reason, onClose }: DoorSettingsProps & { onClose: () => void }) {
  const t = useText('moving')
  const common = useText('common')
  const { restoreBehavior, logCalls, testStore } = settings
  const [draft, setDraft] = useState<Draft>({ restoreBehavior, logCalls, testStore })
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const change = useChange(settings, onClose)
  return (
    <Dialog title={t.sdkSettings} kind="sheet" onClose={onClose}>
      <Form
        onSubmit={() => change.submit(draft)}
        submit={common.save}
        busy={change.busy}
        error={change.error}
        onCancel={onClose}
        reason={reason}
      >
        <Field label={t.purchaseOfOther} name="restoreBehavior" hint={t.purchaseOfOtherHint}>
          <Select
            data-first
            value={draft.restoreBehavior}
            onChange={({ target }) => set({ restoreBehavior: target.value as Draft['restoreBehavior'] })}
            options={Object.entries(t.restoreBehaviors)}
          />
        </Field>
        <Switch checked={draft.logCalls} onChange={(logCalls) => set({ logCalls })} label={t.countCalls} />
        <div className="grid gap-1">
          <Switch checked={draft.testStore} onChange={(testStore) => set({ testStore })} label={t.acceptTestStore} />
          <p className="text-xs text-ink-2">{t.acceptTestStoreHint}</p>
        </div>
      </Form>
    </Dialog>
  )
}

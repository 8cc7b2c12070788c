import { Switch } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { Group } from '../shared/group'
import type { Draft } from './mapping-draft'

interface OptionsProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

const NAMES = ['skipSandbox', 'importAnchorless', 'enrichUngroupedChains'] as const

export function Options({ draft, onChange }: OptionsProps) {
  const t = useText('moving')
  return (
    <Group legend={t.options} name="options">
      {NAMES.map((name) => (
        <div key={name} className="grid gap-0.5">
          <Switch
            checked={draft.options[name]}
            onChange={(isOn) => onChange({ ...draft, options: { ...draft.options, [name]: isOn } })}
            label={t.importOptions[name][0]}
          />
          <p className="text-xs text-ink-2">{t.importOptions[name][1]}</p>
        </div>
      ))}
    </Group>
  )
}

import { Card } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Field, Switch, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import type { PlacementState } from './model'

export function PlacementGeneral({ draft: { value, set } }: { draft: Draft<PlacementState> }) {
  const t = useText('growth')
  const common = useText('common')
  return (
    <Card title={t.general}>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Field label={t.identifier} name="identifier" hint={t.identifierHint}>
          <TextInput
            className="font-mono"
            maxLength={64}
            value={value.identifier}
            onChange={({ target }) => set((state) => ({ ...state, identifier: target.value }))}
          />
        </Field>
        <Field label={common.name} name="name">
          <TextInput
            maxLength={255}
            value={value.name}
            onChange={({ target }) => set((state) => ({ ...state, name: target.value }))}
          />
        </Field>
        <Switch
          label={t.placementActive}
          checked={value.isActive}
          onChange={(isActive) => set((state) => ({ ...state, isActive }))}
        />
      </div>
    </Card>
  )
}

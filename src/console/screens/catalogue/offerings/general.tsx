import { Card } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Field, Switch, TextInput } from '../../../kit/field'
import { JsonField } from '../../../kit/json-field'
import { useText } from '../../../text/catalogue'
import type { OfferingState } from './model'

interface GeneralProps {
  draft: Draft<OfferingState>
  /** It is the default now; only another offering can take the mark. */
  isMarked: boolean
}

export function OfferingGeneral({ draft: { value, set }, isMarked }: GeneralProps) {
  const t = useText('catalogue')
  const put = (change: Partial<OfferingState>) => set((state) => ({ ...state, ...change }))
  return (
    <Card title={t.general}>
      <div className="grid gap-4">
        <Field label={t.identifier} name="identifier" hint={t.offeringIdentifierHint}>
          <TextInput
            className="font-mono"
            maxLength={64}
            value={value.identifier}
            onChange={({ target }) => put({ identifier: target.value })}
          />
        </Field>
        <div>
          <Switch
            label={t.isDefault}
            checked={value.isDefault}
            disabled={isMarked}
            onChange={(isDefault) => put({ isDefault })}
          />
          <p className="text-xs text-ink-2">{isMarked ? t.defaultStays : t.defaultMoves}</p>
        </div>
        <JsonField
          label={t.metadata}
          name="metadata"
          hint={t.offeringMetadataHint}
          isObject
          value={value.metadata}
          onChange={(metadata) => put({ metadata: metadata as Record<string, unknown> })}
        />
      </div>
    </Card>
  )
}

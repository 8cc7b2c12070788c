import { useState } from 'react'
import type { FlagType } from '../../../../core/flag/names'
import { Card } from '../../../kit/card'
import { Field, Select, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { blankOf, type FlagState } from './model'

/** What is the same in every environment. */
export function General({ state, onChange }: { state: FlagState; onChange: (change: Partial<FlagState>) => void }) {
  const t = useText('growth')
  const [isSure, setSure] = useState(false)
  const retype = (type: FlagType) => {
    setSure(true)
    const { environments } = state
    const blank = blankOf(type)
    const renewed = Object.entries(environments).map(([env, one]) => [
      env,
      one && { ...one, defaultValue: blank, rules: one.rules.map((rule) => ({ ...rule, value: blank })) },
    ])
    onChange({ type, environments: Object.fromEntries(renewed) as FlagState['environments'] })
  }
  return (
    <Card title={t.general}>
      <div className="grid items-start gap-4 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Field label={t.description} isOptional name="description">
          <TextInput
            maxLength={1000}
            value={state.description}
            onChange={({ target }) => onChange({ description: target.value })}
          />
        </Field>
        <Field label={t.valueType} name="type" hint={isSure ? t.typeCleared : t.typeHint}>
          <Select
            value={state.type}
            onChange={({ target }) => retype(target.value as FlagType)}
            options={(['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] as const).map((type) => [type, t.types[type]] as const)}
          />
        </Field>
      </div>
    </Card>
  )
}

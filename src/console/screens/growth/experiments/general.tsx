import { Card } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Field, Select, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { useAudiences } from '../flags/use-words'
import { PeoplePreview } from '../rules/people'
import { type ExperimentState, type ExperimentType, TYPES, valueFor } from './model'

interface GeneralProps {
  draft: Draft<ExperimentState>
  isStarted: boolean
}

/** Name, what it is over, who takes part and what counts. */
export function ExperimentGeneral({ draft: { value, set }, isStarted }: GeneralProps) {
  const t = useText('growth')
  const common = useText('common')
  const { items: audiences } = useAudiences()
  const put = (change: Partial<ExperimentState>) => set((state) => ({ ...state, ...change }))
  const retype = (type: ExperimentType) =>
    put({ type, variants: value.variants.map((variant, index) => ({ ...variant, value: valueFor(type, index) })) })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
      <Card title={t.general}>
        <div className="grid gap-4">
          <Field label={common.name} name="name">
            <TextInput maxLength={255} value={value.name} onChange={({ target }) => put({ name: target.value })} />
          </Field>
          <Field label={t.flagKey} name="key" hint={isStarted ? t.fixedAfterStart : t.experimentKeyHint}>
            <TextInput
              className="font-mono"
              maxLength={64}
              disabled={isStarted}
              value={value.key}
              onChange={({ target }) => put({ key: target.value })}
            />
          </Field>
          <Field label={t.experimentOver} name="type" hint={isStarted ? t.fixedAfterStart : t.typeHints[value.type]}>
            <Select
              disabled={isStarted}
              value={value.type}
              onChange={({ target }) => retype(target.value as ExperimentType)}
              options={TYPES.map((type) => [type, t.experimentTypes[type]] as const)}
            />
          </Field>
          <Field label={t.conversionEvents} name="metrics" hint={t.conversionHint}>
            <TextInput
              className="font-mono"
              value={value.metrics.join(', ')}
              onChange={({ target }) => put({ metrics: target.value.split(',').map((one) => one.trimStart()) })}
              onBlur={() => put({ metrics: value.metrics.map((one) => one.trim()).filter((one) => one !== '') })}
            />
          </Field>
          <Field label={t.exclusionGroup} name="mutualExclusionGroup" hint={t.exclusionHint} isOptional>
            <TextInput
              value={value.mutualExclusionGroup ?? ''}
              onChange={({ target }) => put({ mutualExclusionGroup: target.value === '' ? null : target.value })}
            />
          </Field>
        </div>
      </Card>
      <Card title={t.whoTakesPart}>
        <div className="grid gap-4">
          <Field label={t.audience} name="audienceId">
            <Select
              value={value.audienceId ?? ''}
              onChange={({ target }) => put({ audienceId: target.value === '' ? null : target.value })}
              options={[['', t.everybody], ...audiences.map(({ id, name }) => [id, name] as const)]}
            />
          </Field>
          <Field label={t.drawBy} name="bucketBy" hint={t.drawByHint} isOptional>
            <TextInput
              className="font-mono"
              value={value.bucketBy ?? ''}
              onChange={({ target }) => put({ bucketBy: target.value === '' ? null : target.value })}
            />
          </Field>
          <PeoplePreview rules={audiences.find(({ id }) => id === value.audienceId)?.rules ?? {}} />
        </div>
      </Card>
    </div>
  )
}

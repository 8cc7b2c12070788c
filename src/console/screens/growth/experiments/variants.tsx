import { Plus, X } from 'lucide-react'
import { useEvery } from '../../../api/every'
import { Button, IconButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Field, Select, TextInput } from '../../../kit/field'
import { JsonField } from '../../../kit/json-field'
import { NumberInput } from '../../../kit/number-input'
import { Chip } from '../../../kit/state'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { fractionOf, percentOf } from '../percent'
import { isObject } from '../rules/model'
import { useFunnels } from '../use-funnels'
import { type ExperimentState, type ExperimentType, evenly, freshId, sumOf, type Variant, valueFor } from './model'

const FILLS = ['bg-d1', 'bg-d2', 'bg-d4', 'bg-d5', 'bg-n1', 'bg-d3', 'bg-n2']

/** Who gets what, and in which shares. */
export function Variants({ draft: { value, set }, isStarted }: { draft: Draft<ExperimentState>; isStarted: boolean }) {
  const t = useText('growth')
  const { variants, type } = value
  const put = (next: Variant[]) => set((state) => ({ ...state, variants: next }))
  const sum = sumOf(variants)
  const add = () =>
    put([
      ...variants,
      { id: freshId(variants), name: t.variantName(variants.length + 1), weight: 0, value: valueFor(type, 1) },
    ])
  return (
    <Card
      title={t.variants}
      aside={
        <span className={sum === 100 ? '' : 'text-bad'} role="status">
          {sum === 100 ? t.sumRight : t.sumWrong(sum)}
        </span>
      }
      footer={isStarted ? t.variantsRunning : undefined}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div aria-hidden className="flex h-2.5 gap-px overflow-hidden rounded-full bg-track">
          {variants.map(({ id, weight }, index) => (
            <span key={id} className={FILLS[index % FILLS.length]} style={{ width: `${weight * 100}%` }} />
          ))}
        </div>
        {variants.map((variant, index) => (
          <VariantRow
            key={index}
            variant={variant}
            index={index}
            type={type}
            onChange={(next) => put(variants.with(index, next))}
            onRemove={variants.length > 2 ? () => put(variants.filter((_, at) => at !== index)) : null}
          />
        ))}
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" icon={<Plus aria-hidden size={14} />} onClick={add}>
            {t.addVariant}
          </Button>
          <Button variant="quiet" onClick={() => put(evenly(variants))}>
            {t.splitEvenly}
          </Button>
        </div>
      </div>
    </Card>
  )
}

interface VariantRowProps {
  variant: Variant
  index: number
  type: ExperimentType
  onChange: (variant: Variant) => void
  onRemove: (() => void) | null
}

function VariantRow({ variant, index, type, onChange, onRemove }: VariantRowProps) {
  const t = useText('growth')
  const common = useText('common')
  const path = `variants.${index}`
  return (
    <section
      aria-label={t.variantCalled(variant.id)}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-control border border-line p-3"
    >
      <header className="flex items-center gap-2">
        <span aria-hidden className={`size-2.5 rounded-full ${FILLS[index % FILLS.length]}`} />
        <h3 className="min-w-0 flex-1 truncate text-sm font-medium">{variant.name}</h3>
        {index === 0 && <Chip>{t.control}</Chip>}
        {onRemove && (
          <IconButton label={t.removeVariant(variant.name)} onClick={onRemove}>
            <X aria-hidden size={14} />
          </IconButton>
        )}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_110px]">
        <Field label={common.name} name={`${path}.name`}>
          <TextInput
            maxLength={255}
            value={variant.name}
            onChange={({ target }) => onChange({ ...variant, name: target.value })}
          />
        </Field>
        <Field label={common.id} name={`${path}.id`}>
          <TextInput
            className="font-mono"
            maxLength={40}
            value={variant.id}
            onChange={({ target }) => onChange({ ...variant, id: target.value })}
          />
        </Field>
        <Field label={t.shareInPercent} name={`${path}.weight`}>
          <NumberInput
            min={0}
            max={100}
            value={percentOf(variant.weight)}
            onChange={(percent) => onChange({ ...variant, weight: fractionOf(percent) })}
          />
        </Field>
      </div>
      <VariantValue variant={variant} type={type} path={`${path}.value`} onChange={onChange} />
    </section>
  )
}

interface VariantValueProps {
  variant: Variant
  type: ExperimentType
  path: string
  onChange: (variant: Variant) => void
}

function VariantValue({ variant, type, path: name, onChange }: VariantValueProps) {
  const t = useText('growth')
  const { path } = useProject()
  const { items: offerings } = useEvery(
    '/dashboard/projects/{projectId}/offerings',
    { params: { path, query: { limit: 200 } } },
    { enabled: type === 'OFFERING' },
  )
  const funnels = useFunnels()
  const put = (value: unknown) => onChange({ ...variant, value })
  if (type === 'FLAG') {
    return <JsonField label={t.valueAsJson} name={name} value={variant.value} rows={2} onChange={put} />
  }
  const chosen = type === 'OFFERING' ? variant.value : isObject(variant.value) ? variant.value.funnelId : ''
  const options =
    type === 'OFFERING'
      ? offerings.map(({ identifier }) => [identifier, identifier] as const)
      : funnels.map((funnel) => [funnel.id, funnel.name] as const)
  return (
    <Field label={type === 'OFFERING' ? t.offering : t.kinds.funnel} name={name}>
      <Select
        value={String(chosen ?? '')}
        onChange={({ target }) => put(type === 'OFFERING' ? target.value : { funnelId: target.value })}
        options={[['', t.chooseOne], ...options]}
      />
    </Field>
  )
}

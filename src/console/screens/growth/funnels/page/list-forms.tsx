import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { CHART_KINDS, type ChartKind, type FunnelBlock } from '../../../../../core/funnel/model'
import { Button, IconButton } from '../../../../kit/button'
import { Field, Select, Switch } from '../../../../kit/field'
import { NumberInput } from '../../../../kit/number-input'
import { useText } from '../../../../text/catalogue'
import { LocalField } from '../local-field'
import type { BlockFormProps } from './form-props'

type Of<Type extends FunnelBlock['type']> = BlockFormProps<Extract<FunnelBlock, { type: Type }>>

interface ItemsProps<Item> {
  items: readonly Item[]
  onChange: (items: readonly Item[]) => void
  blank: Item
  add: string
  children: (item: Item, put: (item: Item) => void) => ReactNode
}

/** Items below each other, each with a way to remove it. */
function Items<Item>({ items, onChange, blank, add, children }: ItemsProps<Item>) {
  const t = useText('funnels')
  return (
    <div className="grid gap-3">
      {items.map((item, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1">
          <div className="grid gap-2">{children(item, (next) => onChange(items.with(index, next)))}</div>
          <IconButton label={t.removeItem(index + 1)} onClick={() => onChange(items.filter((_, at) => at !== index))}>
            <X aria-hidden size={14} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button variant="quiet" icon={<Plus aria-hidden size={14} />} onClick={() => onChange([...items, blank])}>
          {add}
        </Button>
      </div>
    </div>
  )
}

export function ListForm({ block, onChange, ...rest }: Of<'list'>) {
  const t = useText('funnels')
  const { items, ordered = false } = block.props
  return (
    <>
      <Items
        items={items}
        blank={{}}
        add={t.addItem}
        onChange={(next) => onChange({ ...block, props: { ...block.props, items: next } }, 'items')}
      >
        {(item, put) => <LocalField {...rest} isShort label={t.item} value={item} onChange={put} />}
      </Items>
      <Switch
        label={t.numbered}
        checked={ordered}
        onChange={(next) => onChange({ ...block, props: { items, ordered: next } }, 'ordered')}
      />
    </>
  )
}

export function FaqForm({ block, onChange, ...rest }: Of<'faq'>) {
  const t = useText('funnels')
  return (
    <Items
      items={block.props.items}
      blank={{ question: {}, answer: {} }}
      add={t.addQuestion}
      onChange={(items) => onChange({ ...block, props: { items } }, 'items')}
    >
      {(item, put) => (
        <>
          <LocalField
            {...rest}
            isShort
            label={t.question}
            value={item.question}
            onChange={(question) => put({ ...item, question })}
          />
          <LocalField
            {...rest}
            isShort
            label={t.answer}
            value={item.answer}
            onChange={(answer) => put({ ...item, answer })}
          />
        </>
      )}
    </Items>
  )
}

export function ChartForm({ block, onChange, ...rest }: Of<'chart'>) {
  const t = useText('funnels')
  const { kind, points } = block.props
  return (
    <>
      <Field label={t.chartKind}>
        <Select
          value={kind}
          onChange={({ target }) => onChange({ ...block, props: { points, kind: target.value as ChartKind } }, 'kind')}
          options={CHART_KINDS.map((one) => [one, t.chartKinds[one]] as const)}
        />
      </Field>
      <Items
        items={points}
        blank={{ label: {}, value: 1 }}
        add={t.addPoint}
        onChange={(next) => onChange({ ...block, props: { kind, points: next } }, 'points')}
      >
        {(item, put) => (
          <>
            <LocalField
              {...rest}
              isShort
              label={t.label}
              value={item.label}
              onChange={(label) => put({ ...item, label })}
            />
            <Field label={t.value}>
              <NumberInput value={item.value} onChange={(value) => put({ ...item, value })} />
            </Field>
          </>
        )}
      </Items>
    </>
  )
}

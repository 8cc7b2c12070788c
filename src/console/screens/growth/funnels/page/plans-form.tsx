import type { FunnelBlock } from '../../../../../core/funnel/model'
import { Checkbox, Field, Select, Switch } from '../../../../kit/field'
import { useText } from '../../../../text/catalogue'
import type { BlockFormProps } from './form-props'
import { usePrices } from './use-prices'

type PlanBlock = Extract<FunnelBlock, { type: 'plans' | 'checkout' }>

/** Which packages are shown and how, and how they are paid. */
export function PlansForm({ block, ...rest }: BlockFormProps<PlanBlock>) {
  if (block.type === 'plans') return <Plans {...rest} block={block} />
  return <Checkout {...rest} block={block} />
}

function Checkout({ block, onChange }: BlockFormProps<Extract<FunnelBlock, { type: 'checkout' }>>) {
  const t = useText('funnels')
  return (
    <Field label={t.layout}>
      <Select
        value={block.props.layout}
        onChange={({ target }) =>
          onChange({ ...block, props: { layout: target.value as typeof block.props.layout } }, 'layout')
        }
        options={(['express_first', 'express_only', 'card'] as const).map((one) => [one, t.checkouts[one]] as const)}
      />
    </Field>
  )
}

function Plans({ block, builder, onChange }: BlockFormProps<Extract<FunnelBlock, { type: 'plans' }>>) {
  const t = useText('funnels')
  const prices = usePrices(builder.state.settings.offering)
  const { props } = block
  const all = prices.map(({ packageIdentifier }) => packageIdentifier)
  const shown = props.packages === 'offering' ? all : props.packages
  const put = (change: Partial<typeof props>, part: string) =>
    onChange({ ...block, props: { ...props, ...change } }, part)
  const toggle = (id: string, isOn: boolean) => {
    const next = isOn ? all.filter((one) => one === id || shown.includes(one)) : shown.filter((one) => one !== id)
    put({ packages: next.length === all.length ? 'offering' : next }, 'packages')
  }
  const { highlight: _before, ...unmarked } = props
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">{t.packages}</legend>
        {prices.length === 0 && <p className="text-sm text-ink-2">{t.noPackages}</p>}
        {prices.map(({ packageIdentifier, name }) => (
          <Checkbox
            key={packageIdentifier}
            label={name}
            checked={shown.includes(packageIdentifier)}
            onChange={(isOn) => toggle(packageIdentifier, isOn)}
          />
        ))}
      </fieldset>
      <Field label={t.highlight}>
        <Select
          value={props.highlight ?? ''}
          onChange={({ target }) =>
            onChange(
              { ...block, props: target.value === '' ? unmarked : { ...props, highlight: target.value } },
              'highlight',
            )
          }
          options={[['', t.none] as const, ...prices.map((one) => [one.packageIdentifier, one.name] as const)]}
        />
      </Field>
      <Field label={t.layout}>
        <Select
          value={props.layout}
          onChange={({ target }) => put({ layout: target.value === 'cards' ? 'cards' : 'list' }, 'layout')}
          options={[
            ['list', t.asList],
            ['cards', t.asCards],
          ]}
        />
      </Field>
      <Switch
        label={t.showPerDay}
        checked={props.showPerDay === true}
        onChange={(showPerDay) => put({ showPerDay }, 'perDay')}
      />
    </>
  )
}

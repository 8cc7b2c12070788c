import type { FunnelAction, FunnelBlock, FunnelPage } from '../../../../../core/funnel/model'
import { fieldsOf } from '../../../../../core/funnel/way'
import { Field, Select, Switch, TextArea, TextInput } from '../../../../kit/field'
import { NumberInput } from '../../../../kit/number-input'
import { useText } from '../../../../text/catalogue'
import { pageName } from '../lines'
import { LocalField } from '../local-field'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { AssetFields } from './asset-fields'
import type { BlockFormProps } from './form-props'
import { ChartForm, FaqForm, ListForm } from './list-forms'
import { PlansForm } from './plans-form'

type Of<Type extends FunnelBlock['type']> = BlockFormProps<Extract<FunnelBlock, { type: Type }>>

/** The members of a block of each type. */
export function BlockForm(props: BlockFormProps) {
  const { block } = props
  switch (block.type) {
    case 'heading':
      return <HeadingForm {...props} block={block} />
    case 'text':
    case 'legal':
      return <TextForm {...props} block={block} />
    case 'list':
      return <ListForm {...props} block={block} />
    case 'image':
    case 'video':
    case 'lottie':
      return <AssetFields {...props} block={block} />
    case 'button':
      return <ButtonForm {...props} block={block} />
    case 'field':
      return <FieldBlockForm {...props} block={block} />
    case 'testimonial':
      return <TestimonialForm {...props} block={block} />
    case 'faq':
      return <FaqForm {...props} block={block} />
    case 'chart':
      return <ChartForm {...props} block={block} />
    case 'plans':
    case 'checkout':
      return <PlansForm {...props} block={block} />
    default:
      return <SmallForm {...props} />
  }
}

function HeadingForm({ block, onChange, ...rest }: Of<'heading'>) {
  const t = useText('funnels')
  const { text, level = 2 } = block.props
  return (
    <>
      <LocalField
        {...rest}
        label={t.text}
        value={text}
        onChange={(next) => onChange({ ...block, props: { ...block.props, text: next } }, 'text')}
      />
      <Field label={t.level}>
        <Select
          value={String(level)}
          onChange={({ target }) =>
            onChange({ ...block, props: { text, level: Number(target.value) as 1 | 2 | 3 } }, 'level')
          }
          options={['1', '2', '3'].map((one) => [one, one] as const)}
        />
      </Field>
    </>
  )
}

function TextForm({ block, onChange, ...rest }: Of<'text' | 'legal'>) {
  const t = useText('funnels')
  return (
    <>
      <LocalField
        {...rest}
        label={t.text}
        value={block.props.text ?? {}}
        onChange={(text) => {
          const isNone = block.type === 'legal' && Object.keys(text).length === 0
          onChange({ ...block, props: isNone ? {} : { text } } as FunnelBlock, 'text')
        }}
      />
      <p className="text-xs text-ink-2">{block.type === 'legal' ? t.legalHint : t.marksHint}</p>
    </>
  )
}

function ButtonForm({ block, onChange, builder, page, locale }: Of<'button'>) {
  const t = useText('funnels')
  const { props } = block
  return (
    <>
      <LocalField
        {...{ builder, locale }}
        label={t.label}
        value={props.label}
        onChange={(label) => onChange({ ...block, props: { ...props, label } }, 'label')}
      />
      <ActionField
        {...{ builder, page }}
        value={props.action}
        onChange={(action) => onChange({ ...block, props: { ...props, action } }, 'action')}
      />
      <Switch
        label={t.secondary}
        checked={props.isSecondary === true}
        onChange={(isSecondary) => onChange({ ...block, props: { ...props, isSecondary } }, 'secondary')}
      />
    </>
  )
}

interface ActionFieldProps {
  builder: Builder
  page: FunnelPage
  value: FunnelAction
  onChange: (action: FunnelAction) => void
}

/** What a button does. It leads only where the page leads. */
function ActionField({ builder: { state }, page, value, onChange }: ActionFieldProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const exits = new Set([...page.next.rules.map(({ to }) => to), page.next.default])
  const targets = state.pages.filter(({ id }) => exits.has(id))
  const first = targets[0]?.id ?? page.id
  const begin = (type: string): FunnelAction => {
    if (type === 'to') return { type, pageId: first }
    if (type === 'open') return { type, url: 'https://' }
    return { type: type as 'next' | 'back' | 'skip' }
  }
  return (
    <>
      <Field label={t.action}>
        <Select
          value={value.type}
          onChange={({ target }) => onChange(begin(target.value))}
          options={(['next', 'to', 'back', 'skip', 'open'] as const).map((type) => [type, t.actions[type]] as const)}
        />
      </Field>
      {value.type === 'to' && (
        <Field label={t.page} hint={t.exitsHint}>
          <Select
            value={value.pageId}
            onChange={({ target }) => onChange({ type: 'to', pageId: target.value })}
            options={targets.map((one) => [one.id, pageName(one, state, words)] as const)}
          />
        </Field>
      )}
      {value.type === 'open' && (
        <Field label={t.address}>
          <TextInput
            value={value.url}
            maxLength={2048}
            onChange={({ target }) => onChange({ type: 'open', url: target.value })}
          />
        </Field>
      )}
    </>
  )
}

function FieldBlockForm({ block, page, onChange }: Of<'field'>) {
  const t = useText('funnels')
  return (
    <Field label={t.field} hint={t.fieldBlockHint}>
      <Select
        value={block.props.fieldId}
        onChange={({ target }) => onChange({ ...block, props: { fieldId: target.value } }, 'field')}
        options={fieldsOf(page).map(({ id }) => [id, id] as const)}
      />
    </Field>
  )
}

function TestimonialForm({ block, onChange, ...rest }: Of<'testimonial'>) {
  const t = useText('funnels')
  const { props } = block
  return (
    <>
      <LocalField
        {...rest}
        label={t.quote}
        value={props.quote}
        onChange={(quote) => onChange({ ...block, props: { ...props, quote } }, 'quote')}
      />
      <LocalField
        {...rest}
        label={t.author}
        value={props.author}
        onChange={(author) => onChange({ ...block, props: { ...props, author } }, 'author')}
      />
      <Field label={t.stars}>
        <NumberInput
          value={props.rating ?? 5}
          min={1}
          max={5}
          isWhole
          onChange={(rating) => onChange({ ...block, props: { ...props, rating } }, 'rating')}
        />
      </Field>
    </>
  )
}

/** Blocks of one or two members, and those of none. */
function SmallForm({ block, onChange, builder, page }: BlockFormProps) {
  const t = useText('funnels')
  if (block.type === 'spacer')
    return (
      <Field label={t.height} hint={t.pixels(0, 400)}>
        <NumberInput
          value={block.props.size ?? 16}
          min={0}
          max={400}
          isWhole
          onChange={(size) => onChange({ ...block, props: { size } }, 'size')}
        />
      </Field>
    )
  if (block.type === 'stack')
    return (
      <Field label={t.direction}>
        <Select
          value={block.props.direction}
          onChange={({ target }) =>
            onChange(
              { ...block, props: { ...block.props, direction: target.value === 'row' ? 'row' : 'column' } },
              'direction',
            )
          }
          options={[
            ['column', t.belowEachOther],
            ['row', t.besideEachOther],
          ]}
        />
      </Field>
    )
  if (block.type === 'timer') return <TimerForm {...{ builder, page, onChange }} block={block} />
  if (block.type === 'html')
    return (
      <Field label={t.source} hint={t.htmlHint}>
        <TextArea
          rows={8}
          spellCheck={false}
          className="font-mono text-xs"
          value={block.props.source}
          onChange={({ target }) => onChange({ ...block, props: { ...block.props, source: target.value } }, 'source')}
        />
      </Field>
    )
  return <p className="text-sm text-ink-2">{t.nothingToSet}</p>
}

/** The document calls what happens at the end `then`. */
const END = 'then'

function TimerForm({ block, onChange, builder, page }: Omit<Of<'timer'>, 'locale'>) {
  const t = useText('funnels')
  const { seconds, [END]: atTheEnd } = block.props
  const put = (next: number, action: FunnelAction | null, part: string) =>
    onChange({ ...block, props: { seconds: next, [END]: action } }, part)
  return (
    <>
      <Field label={t.seconds}>
        <NumberInput value={seconds} min={1} max={86_400} isWhole onChange={(next) => put(next, atTheEnd, 'seconds')} />
      </Field>
      <Switch
        label={t.goesOn}
        checked={atTheEnd !== null}
        onChange={(isOn) => put(seconds, isOn ? { type: 'next' } : null, 'end')}
      />
      {atTheEnd && (
        <ActionField {...{ builder, page }} value={atTheEnd} onChange={(action) => put(seconds, action, 'end')} />
      )}
    </>
  )
}

import { Plus, X } from 'lucide-react'
import { FIELD_KINDS, type FieldKind, type FunnelField, type FunnelPage } from '../../../../../core/funnel/model'
import { Button, IconButton } from '../../../../kit/button'
import { Card } from '../../../../kit/card'
import { Field, Select, Switch, TextInput } from '../../../../kit/field'
import { Menu } from '../../../../kit/menu'
import { NumberInput } from '../../../../kit/number-input'
import { useText } from '../../../../text/catalogue'
import { freshId } from '../blocks'
import { Editable } from '../editable'
import { LocalField } from '../local-field'
import { addField, newField, removeField, withField, withKind } from '../pages'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'

interface FieldsProps {
  builder: Builder
  page: FunnelPage
  locale: string
}

/** What the page asks. */
export function Fields({ builder, page, locale }: FieldsProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  return (
    <Card title={t.fields} aside={page.fields.length}>
      <Editable builder={builder}>
        <div className="grid gap-4">
          {page.fields.length === 0 && <p className="text-sm text-ink-2">{t.noFields}</p>}
          {page.fields.map((field, index) => (
            <FieldForm key={index} {...{ builder, page, locale, field }} />
          ))}
          {builder.reason === null && (
            <Menu
              align="left"
              className="inline-flex h-7.5 items-center justify-center gap-1.5 rounded-control border border-line-2 bg-surface px-3 text-sm font-medium hover:bg-hover max-md:h-9"
              label={t.addField}
              items={FIELD_KINDS.map((kind) => ({
                label: words.fieldKinds[kind],
                onSelect: () => builder.change((state) => addField(state, page.id, newField(state, kind))),
              }))}
            />
          )}
        </div>
      </Editable>
    </Card>
  )
}

interface FieldFormProps extends FieldsProps {
  field: FunnelField
}

function FieldForm({ builder, page, locale, field }: FieldFormProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const common = useText('common')
  const put = (next: FunnelField, part: string) =>
    builder.change((state) => withField(state, page.id, field.id, next), `${page.id}.field.${part}`)
  const { attribute: _attribute, sensitive: _sensitive, ...rest } = field
  return (
    <fieldset className="grid min-w-0 gap-3 border-t border-line pt-3 first-of-type:border-0 first-of-type:pt-0">
      <legend className="sr-only">{field.id}</legend>
      <div className="flex items-center justify-between gap-2">
        <b className="truncate font-mono text-xs font-medium">{field.id}</b>
        <IconButton
          label={`${common.remove}: ${field.id}`}
          onClick={() => builder.change((state) => removeField(state, page.id, field.id))}
        >
          <X aria-hidden size={14} />
        </IconButton>
      </div>
      <Field label={words.kind}>
        <Select
          value={field.kind}
          onChange={({ target }) => put(withKind(field, target.value as FieldKind), 'kind')}
          options={FIELD_KINDS.map((kind) => [kind, words.fieldKinds[kind]] as const)}
        />
      </Field>
      <LocalField
        {...{ builder, locale }}
        isShort
        label={t.label}
        value={field.label ?? {}}
        onChange={(label) => {
          const { label: _before, ...without } = field
          put(Object.keys(label).length === 0 ? without : { ...field, label }, 'label')
        }}
      />
      {(field.kind === 'single' || field.kind === 'multi') && (
        <Options {...{ builder, locale, field }} onChange={(options) => put({ ...field, options }, 'options')} />
      )}
      <Switch
        label={t.required}
        checked={field.required}
        onChange={(required) => put({ ...field, required }, 'required')}
      />
      <details className="text-sm">
        <summary className="min-h-6 cursor-pointer font-medium">{t.moreOfField}</summary>
        <div className="grid gap-3 pt-2">
          <Field label={t.fieldId} hint={t.fieldIdHint}>
            <TextInput
              className="font-mono"
              value={field.id}
              maxLength={64}
              onChange={({ target }) => put({ ...field, id: target.value }, 'id')}
            />
          </Field>
          <Field label={t.attribute} hint={t.attributeHint}>
            <TextInput
              className="font-mono"
              value={field.attribute ?? ''}
              maxLength={64}
              onChange={({ target }) => {
                const { attribute: _before, ...without } = field
                put(target.value === '' ? without : { ...field, attribute: target.value }, 'attribute')
              }}
            />
          </Field>
          <Bounds field={field} onChange={(next) => put(next, 'bounds')} />
          <Switch
            label={t.sensitive}
            checked={field.sensitive === true}
            onChange={(isOn) =>
              put(
                {
                  ...rest,
                  ...(field.attribute !== undefined && { attribute: field.attribute }),
                  ...(isOn && { sensitive: true }),
                },
                'sensitive',
              )
            }
          />
          <p className="text-xs text-ink-2">{t.sensitiveHint}</p>
        </div>
      </details>
    </fieldset>
  )
}

const RANGED: ReadonlySet<FieldKind> = new Set(['number', 'slider', 'height', 'weight', 'text', 'multi', 'rating'])

/** The smallest and the largest answer; what they count depends on the kind. */
function Bounds({ field, onChange }: { field: FunnelField; onChange: (field: FunnelField) => void }) {
  const t = useText('funnels')
  if (!RANGED.has(field.kind)) return null
  return (
    <div className="grid grid-cols-2 gap-2">
      {(['min', 'max'] as const).map((name) => (
        <Field key={name} label={t.bounds[name]}>
          <TextInput
            inputMode="decimal"
            value={field[name] ?? ''}
            onChange={({ target }) => {
              const value = Number(target.value)
              onChange({ ...field, [name]: target.value.trim() === '' || Number.isNaN(value) ? null : value })
            }}
          />
        </Field>
      ))}
    </div>
  )
}

interface OptionsProps {
  builder: Builder
  locale: string
  field: FunnelField
  onChange: (options: FunnelField['options']) => void
}

function Options({ builder, locale, field: { options }, onChange }: OptionsProps) {
  const t = useText('funnels')
  const add = () => {
    const id = freshId('option', new Set(options.map((option) => option.id)))
    onChange([...options, { id, label: {} }])
  }
  return (
    <div className="grid gap-2">
      {options.map((option, index) => {
        const { value: _value, ...unscored } = option
        return (
          <div key={index} className="grid grid-cols-[minmax(0,1fr)_4.5rem_auto] items-end gap-1">
            <LocalField
              {...{ builder, locale }}
              isShort
              label={t.option(index + 1)}
              value={option.label}
              onChange={(label) => onChange(options.with(index, { ...option, label }))}
            />
            <Field label={t.points}>
              <NumberInput
                value={option.value ?? 0}
                onChange={(value) => onChange(options.with(index, value === 0 ? unscored : { ...option, value }))}
              />
            </Field>
            <IconButton
              label={t.removeItem(index + 1)}
              disabled={options.length === 1}
              onClick={() => onChange(options.filter((_, at) => at !== index))}
            >
              <X aria-hidden size={14} />
            </IconButton>
          </div>
        )
      })}
      <div>
        <Button variant="quiet" icon={<Plus aria-hidden size={14} />} onClick={add}>
          {t.addOption}
        </Button>
      </div>
    </div>
  )
}

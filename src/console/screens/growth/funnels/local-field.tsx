import { Braces } from 'lucide-react'
import type { LocalText } from '../../../../core/funnel/model'
import { Field, TextArea, TextInput } from '../../../kit/field'
import { Menu } from '../../../kit/menu'
import { useText } from '../../../text/catalogue'
import { withText } from './pages'
import type { Builder } from './use-funnel-edit'
import { useLanguageName } from './use-words'
import { valuesOf } from './values'

interface LocalFieldProps {
  builder: Builder
  label: string
  value: LocalText
  onChange: (text: LocalText) => void
  /** The language that is edited. */
  locale: string
  /** One line, and only in this language: for the many texts of a list. */
  isShort?: boolean
}

/** A text in each language. Where one is missing, the field shows what visitors see there. */
export function LocalField(props: LocalFieldProps) {
  const { builder, locale, isShort = false } = props
  const others = builder.state.locales.filter((one) => one !== locale)
  return (
    <div className="grid gap-2">
      {[locale, ...(isShort ? [] : others)].map((one) => (
        <OneLanguage key={one} {...props} locale={one} />
      ))}
      {!isShort && <InsertValue {...props} />}
    </div>
  )
}

function OneLanguage({ builder, label, value, onChange, locale, isShort = false }: LocalFieldProps) {
  const t = useText('funnels')
  const languageName = useLanguageName()
  const { defaultLocale, locales } = builder.state
  const written = value[locale] ?? ''
  const instead = value[defaultLocale]
  const isMissing = written === '' && instead !== undefined && locale !== defaultLocale
  const given = {
    value: written,
    maxLength: 2000,
    lang: locale,
    ...(isMissing && { placeholder: instead, className: 'border-dashed' }),
  }
  return (
    <Field
      label={locales.length > 1 ? `${label}, ${languageName(locale)}` : label}
      {...(isMissing && { hint: t.missing(languageName(defaultLocale)) })}
    >
      {isShort ? (
        <TextInput {...given} onChange={({ target }) => onChange(withText(value, locale, target.value))} />
      ) : (
        <TextArea {...given} rows={2} onChange={({ target }) => onChange(withText(value, locale, target.value))} />
      )}
    </Field>
  )
}

/** Puts a value of the visitor behind the text, with the text that replaces a missing one. */
function InsertValue({ builder, value, onChange, locale }: LocalFieldProps) {
  const t = useText('funnels')
  const values = valuesOf(builder.state)
  if (values.length === 0 || builder.reason !== null) return null
  return (
    <div>
      <Menu
        align="left"
        className="inline-flex h-7 items-center gap-1.5 rounded-control border border-line-2 bg-surface px-2 text-xs hover:bg-hover"
        label={
          <>
            <Braces aria-hidden size={13} /> {t.insertValue}
          </>
        }
        items={values.map((name) => ({
          label: name,
          onSelect: () => {
            const before = value[locale] ?? ''
            const space = before === '' || before.endsWith(' ') ? '' : ' '
            onChange(withText(value, locale, `${before}${space}{{${name}|…}}`))
          },
        }))}
      />
    </div>
  )
}

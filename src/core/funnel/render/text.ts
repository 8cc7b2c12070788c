import { type Answers, answerTo } from '../conditions-hold'
import type { FunnelPage, LocalText } from '../model'
import { partsOf, type Variable } from '../variables'
import { fieldsOf } from '../way'
import { escapeHtml } from './escape'
import { type PackagePrice, priceText } from './money'

/** What texts are written with. */
export interface TextScope {
  locale: string
  defaultLocale: string
  pages: readonly FunnelPage[]
  answers: Answers
  query: Readonly<Record<string, string>>
  prices: readonly PackagePrice[]
}

/** The text in the visitor's language, else in the default one. */
export const chosenText = (
  text: LocalText,
  { locale, defaultLocale }: Pick<TextScope, 'locale' | 'defaultLocale'>,
): string => ownText(text, locale) ?? ownText(text, defaultLocale) ?? ''

/** A language tag may have the name of a member that every object has, such as `valueOf`. */
const ownText = (text: LocalText, locale: string): string | undefined =>
  Object.hasOwn(text, locale) ? text[locale] : undefined

/** A text without marks, with its variables replaced; not escaped. */
export const plainText = (text: LocalText, scope: TextScope): string =>
  partsOf(chosenText(text, scope))
    .map((part) => (typeof part === 'string' ? part : 'unknown' in part ? '' : insertedText(part, scope)))
    .join('')

/**
 * A text as HTML: `**strong**`, `_emphasis_` and `[label](https://…)` are marks; what a variable inserts is text and
 * never a mark.
 */
export function htmlText(text: LocalText, scope: TextScope): string {
  const values: string[] = []
  const written = partsOf(chosenText(text, scope)).map((part) => {
    if (typeof part === 'string') return part.replace(/[\ue000\ue001]/g, '')
    values.push('unknown' in part ? '' : insertedText(part, scope))
    return `\ue000${values.length - 1}\ue001`
  })
  return marked(escapeHtml(written.join(''))).replace(/\ue000(\d+)\ue001/g, (_, index) =>
    escapeHtml(values[Number(index)] ?? ''),
  )
}

const marked = (html: string): string =>
  html
    .replace(
      /\[([^\][\n]{1,200})\]\((https:\/\/[^\s()<>\ue000\ue001]{1,2000})\)/gi,
      '<a href="$2" rel="noopener noreferrer">$1</a>',
    )
    .replace(/\*\*([^*\n]{1,500})\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(>])_([^_\n<>]{1,500})_(?=$|[\s).,;:!?<])/g, '$1<em>$2</em>')
    .replace(/\n/g, '<br>')

function insertedText(variable: Variable, scope: TextScope): string {
  return found(variable, scope) || variable.fallback
}

function found(variable: Variable, { query, prices, locale, answers, ...scope }: TextScope): string {
  if (variable.of === 'query') return Object.hasOwn(query, variable.name) ? (query[variable.name] ?? '') : ''
  if (variable.of === 'answer') return answerText(answerTo(answers, variable.name), variable.name, { ...scope, locale })
  const price = prices.find(({ packageIdentifier }) => packageIdentifier === variable.package)
  return (price && priceText(price, variable.part, locale)) ?? ''
}

/** An answer as a visitor reads it: of a choice the labels of its options. */
function answerText(answer: unknown, id: string, scope: Pick<TextScope, 'locale' | 'defaultLocale' | 'pages'>): string {
  if (answer == null) return ''
  const field = scope.pages.flatMap(fieldsOf).find((candidate) => candidate.id === id)
  if (field?.sensitive) return ''
  const labels = [answer].flat().map((value) => {
    const option = field?.options.find((candidate) => candidate.id === value)
    return option ? chosenText(option.label, scope) : String(value)
  })
  return labels.join(', ')
}

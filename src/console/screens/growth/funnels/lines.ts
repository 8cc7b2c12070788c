import type { FunnelBlock, FunnelCondition, FunnelField, FunnelPage, LocalText } from '../../../../core/funnel/model'
import { keyOf } from '../../../../core/funnel/translations'
import { blocksOf, pagesOf, textsOf } from '../../../../core/funnel/walk'
import type { Line } from '../../../kit/changes'
import type { FunnelState } from './model'

/** The words with which a funnel is described. */
export interface FunnelWords {
  slug: string
  name: string
  defaultLanguage: string
  languages: string
  pageOrder: string
  blockOrder: string
  kind: string
  leadsTo: string
  shownWhen: string
  theEnd: string
  pageTypes: Record<FunnelPage['type'], string>
  blockTypes: Record<FunnelBlock['type'], string>
  fieldKinds: Record<FunnelField['kind'], string>
  operators: Record<FunnelCondition['op'], string>
  settingNames: Readonly<Record<string, string>>
  look: string
  languageName: (locale: string) => string
}

/** The first text that a page has, else its kind. */
export function pageName(page: FunnelPage, { defaultLocale }: Pick<FunnelState, 'defaultLocale'>, words: FunnelWords) {
  const heading = page.blocks?.find((block) => block.type === 'heading')
  const texts = [page.title, heading?.type === 'heading' ? heading.props.text : {}]
  const found = texts.flatMap((text) => [text[defaultLocale], ...Object.values(text)]).find((text) => text)
  return found ?? words.pageTypes[page.type]
}

/** A funnel in words, one line for each thing that can be changed. The keys are made of ids, so moving changes one line. */
export const linesOf = (state: FunnelState, words: FunnelWords): Line[] => [
  { key: 'slug', label: words.slug, text: state.slug },
  { key: 'name', label: words.name, text: state.name },
  { key: 'defaultLocale', label: words.defaultLanguage, text: words.languageName(state.defaultLocale) },
  { key: 'locales', label: words.languages, text: state.locales.map(words.languageName).join(', ') },
  { key: 'order', label: words.pageOrder, text: state.pages.map((page) => pageName(page, state, words)).join(' · ') },
  ...state.pages.flatMap((page) => pageLines(state, page, words)),
  ...membersOf(state.theme, 'theme', words.look),
  ...settingLines(state, words),
]

const settingLines = ({ settings }: FunnelState, words: FunnelWords): Line[] =>
  Object.entries(settings).map(([name, value]) => ({
    key: `settings.${name}`,
    label: words.settingNames[name] ?? name,
    text: plain(value),
  }))

function pageLines(state: FunnelState, page: FunnelPage, words: FunnelWords): Line[] {
  const name = pageName(page, state, words)
  const at = `page.${page.id}`
  return [
    { key: `${at}.type`, label: `${name}, ${words.kind}`, text: words.pageTypes[page.type] },
    ...textLines(state, page, words),
    ...page.fields.map((field) => ({
      key: `${at}.field.${field.id}`,
      label: `${name}, ${field.id}`,
      text: `${words.fieldKinds[field.kind]}: ${summary(field, ['id', 'kind'])}`,
    })),
    ...(page.blocks ? blockLines(page, name, words) : []),
    { key: `${at}.next`, label: `${name}, ${words.leadsTo}`, text: waysInWords(state, page, words) },
  ]
}

function textLines(state: FunnelState, page: FunnelPage, words: FunnelWords): Line[] {
  const name = pageName(page, state, words)
  const index = state.pages.indexOf(page)
  const kinds = new Map(blocksOf(page, `pages[${index}]`).map(([block, path]) => [path, words.blockTypes[block.type]]))
  return textsOf([page, `pages[${index}]`]).flatMap(([text, path]) => {
    const kind = [...kinds].findLast(([start]) => path.startsWith(start))?.[1]
    return Object.entries(text).map(([locale, written]) => ({
      key: `${keyOf(state, path)}.${locale}`,
      label: [name, kind, words.languageName(locale)].filter(Boolean).join(', '),
      text: written,
    }))
  })
}

function blockLines(page: FunnelPage, name: string, words: FunnelWords): Line[] {
  const blocks = blocksOf(page, '').map(([block]) => block)
  const order = blocks.map((block) => words.blockTypes[block.type]).join(' · ')
  return [
    { key: `page.${page.id}.blocks`, label: `${name}, ${words.blockOrder}`, text: order },
    ...blocks.map((block) => ({
      key: `page.${page.id}.block.${block.id}`,
      label: `${name}, ${words.blockTypes[block.type]}`,
      text: [summary(block.props, ['children']), summary(block.style ?? {}, []), whenInWords(block, words)]
        .filter(Boolean)
        .join('; '),
    })),
  ]
}

const whenInWords = ({ visibleWhen }: FunnelBlock, words: FunnelWords): string =>
  visibleWhen ? `${words.shownWhen} ${conditionsInWords(visibleWhen.when, words)}` : ''

/** `goal is stress, age is at least 18` */
export const conditionsInWords = (when: readonly FunnelCondition[], words: Pick<FunnelWords, 'operators'>): string =>
  when.map(({ field, op, value }) => [field, words.operators[op], plain(value)].filter(Boolean).join(' ')).join(', ')

function waysInWords(state: FunnelState, { next }: FunnelPage, words: FunnelWords): string {
  const nameOf = (id: string) => {
    const page = pagesOf(state).find(([one]) => one.id === id)?.[0]
    return page ? pageName(page, state, words) : id
  }
  const rules = next.rules.map(({ when, to }) => `${conditionsInWords(when, words)} → ${nameOf(to)}`)
  return [...rules, next.default === null ? words.theEnd : nameOf(next.default)].join('; ')
}

const membersOf = (value: object, key: string, label: string): Line[] =>
  Object.entries(value).flatMap(([name, member]) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? membersOf(member, `${key}.${name}`, `${label}, ${name}`)
      : [{ key: `${key}.${name}`, label: `${label}, ${name}`, text: plain(member) }],
  )

/** The members that are no texts in languages: those have lines of their own. */
const summary = (value: object, without: readonly string[]): string =>
  Object.entries(value)
    .filter(([name, member]) => !without.includes(name) && member !== null && !isLocalText(member))
    .map(([name, member]) => `${name} ${plain(member)}`)
    .join(', ')

const isLocalText = (value: unknown): value is LocalText =>
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  Object.entries(value).every(([name, text]) => /^[a-z]{2,3}(-|$)/i.test(name) && typeof text === 'string')

function plain(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value))
    return value
      .map((item) => (isLocalText(item) ? '' : plain(item)))
      .filter(Boolean)
      .join(', ')
  return typeof value === 'object' ? summary(value, []) : String(value)
}

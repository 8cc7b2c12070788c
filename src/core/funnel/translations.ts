import type { FunnelContent, FunnelPage, LocalText } from './model'
import { isObject } from './reading'
import { pagesOf, textsOf } from './walk'

/** One text of a funnel in every language that it has. The key names its place by ids, so pages may be moved meanwhile. */
export interface TextRow {
  key: string
  texts: LocalText
}

type Pages = Pick<FunnelContent, 'pages'>

/** Every text of a funnel by its place, in the order of the pages. */
export const textRows = (content: Pages): TextRow[] =>
  pagesOf(content)
    .flatMap(textsOf)
    .map(([texts, path]) => ({ key: keyOf(content, path), texts }))

/** `pages[3].blocks[0].props.text` as `pages.offer.blocks.title.props.text`. */
export function keyOf(content: Pages, path: string): string {
  const names: string[] = []
  let at: unknown = content
  for (const step of stepsOf(path)) {
    const child: unknown = memberOf(at, step)
    names.push(isObject(child) && typeof child.id === 'string' && Array.isArray(at) ? child.id : step)
    at = child
  }
  return names.join('.')
}

const stepsOf = (path: string): string[] => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')

const memberOf = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) return value[Number(step)]
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

export interface Translated {
  pages: FunnelPage[]
  /** How many texts are others than before. */
  changed: number
  /** Keys that no text has. */
  unknown: string[]
}

/** The pages with other texts. An empty text changes nothing: a translator has not come to it yet. */
export function withTranslations(content: Pages, rows: readonly TextRow[]): Translated {
  const places = new Map(
    pagesOf(content)
      .flatMap(textsOf)
      .map(([texts, path]) => [keyOf(content, path), { texts, path }]),
  )
  const unknown = new Set<string>()
  const changes = new Map<string, LocalText>()
  for (const { key, texts } of rows) {
    const place = places.get(key)
    if (!place) unknown.add(key)
    else changes.set(place.path, { ...(changes.get(place.path) ?? place.texts), ...filled(texts) })
  }
  const changed = [...changes].filter((change) => isChanged(content, change))
  return {
    pages: replaced(content.pages, 'pages', new Map(changed)) as FunnelPage[],
    changed: changed.length,
    unknown: [...unknown],
  }
}

const filled = (texts: LocalText): LocalText =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))

function isChanged(content: Pages, [path, texts]: [string, LocalText]): boolean {
  const before = stepsOf(path).reduce<unknown>(memberOf, content)
  return JSON.stringify(before) !== JSON.stringify(texts)
}

/** A copy in which the texts at these places are others. */
function replaced(value: unknown, path: string, changes: ReadonlyMap<string, LocalText>): unknown {
  const change = changes.get(path)
  if (change) return change
  if (Array.isArray(value)) return value.map((item, index) => replaced(item, `${path}[${index}]`, changes))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaced(member, `${path}.${name}`, changes)]),
  )
}

/** The pages with one text in one language; an empty one takes the language away. */
export function withTextAt(content: Pages, key: string, locale: string, text: string): readonly FunnelPage[] {
  const found = pagesOf(content)
    .flatMap(textsOf)
    .find(([, path]) => keyOf(content, path) === key)
  if (!found) return content.pages
  const [{ [locale]: _before, ...others }, path] = found
  const next = text === '' ? others : { ...others, [locale]: text }
  return replaced(content.pages, 'pages', new Map([[path, next]])) as FunnelPage[]
}

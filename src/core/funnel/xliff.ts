import type { TextRow } from './translations'

interface Languages {
  defaultLocale: string
  locales: readonly string[]
}

/** The texts as XLIFF 1.2, one `file` for each language besides the default one. */
export function toXliff(rows: readonly TextRow[], { defaultLocale, locales }: Languages): string {
  const files = locales
    .filter((locale) => locale !== defaultLocale)
    .map((locale) => fileOf(rows, defaultLocale, locale))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n${files.join('')}</xliff>\n`
}

function fileOf(rows: readonly TextRow[], source: string, target: string): string {
  const units = rows.map(({ key, texts }) => {
    const translated = texts[target] === undefined ? '' : `<target>${escaped(texts[target])}</target>`
    return `<trans-unit id="${escaped(key)}" xml:space="preserve"><source>${escaped(texts[source] ?? '')}</source>${translated}</trans-unit>\n`
  })
  const given = `original="funnel" datatype="plaintext" source-language="${escaped(source)}" target-language="${escaped(target)}"`
  return `<file ${given}><body>\n${units.join('')}</body></file>\n`
}

/** The translated texts of such a file, as `toXliff` and translators' programs write it; null = it is none. */
export function fromXliff(text: string): TextRow[] | null {
  if (!/<xliff\b/.test(text)) return null
  return elementsOf(text, 'file').flatMap(([given, body]) => {
    const locale = attribute(given, 'target-language')
    return locale === null ? [] : unitsOf(body, locale)
  })
}

const unitsOf = (body: string, locale: string): TextRow[] =>
  elementsOf(body, 'trans-unit').flatMap(([given, inner]) => {
    const [key, target] = [attribute(given, 'id'), elementsOf(inner, 'target')[0]?.[1]]
    return key === null || target === undefined ? [] : [{ key, texts: { [locale]: plain(target) } }]
  })

/** The elements of this name: what is in their tags, and inside. Each character is looked at a few times only. */
const elementsOf = (text: string, name: string): [given: string, inner: string][] =>
  text
    .split(new RegExp(`<${name}(?=[\\s>])`))
    .slice(1)
    .flatMap((part) => {
      const [open, close] = [part.indexOf('>'), part.indexOf(`</${name}>`)]
      return open < 0 || close < open ? [] : [[part.slice(0, open), part.slice(open + 1, close)]]
    })

const MAX_TAG = 4000

function attribute(given: string, name: string): string | null {
  const [, , value] = new RegExp(`\\b${name}=(["'])(.*?)\\1`).exec(given.slice(0, MAX_TAG)) ?? []
  return value === undefined ? null : unescaped(value)
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ESCAPES[one] ?? one)

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole
  })

/** The text of an element: sections of characters as they are, marks of translators' programs left out. */
const plain = (inner: string): string => {
  const [first = '', ...rest] = inner.split('<![CDATA[')
  const parts = rest.map((part) => {
    const end = part.indexOf(']]>')
    return end < 0 ? withoutMarks(part) : part.slice(0, end) + withoutMarks(part.slice(end + 3))
  })
  return withoutMarks(first) + parts.join('')
}

const withoutMarks = (text: string): string => unescaped(text.replaceAll(/<[^<>]*>/g, ''))

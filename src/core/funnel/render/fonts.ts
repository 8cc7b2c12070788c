import type { ShownFace, ShownFont } from '../files'
import { LATIN_UNICODE_RANGE } from '../latin'
import type { PageView } from './view'

const BEHIND = 'system-ui,sans-serif'

/** The rules for the fonts of a theme. Families that the project does not have are left out. */
export function fontRules({ content, links }: Pick<PageView, 'content' | 'links'>): string {
  const { heading, body } = content.theme.fonts ?? {}
  const fontOf = (id: string | undefined): ShownFont | null =>
    id === undefined || id === 'system' ? null : links.font(id)
  const [ofHeadings, ofBody] = [fontOf(heading), fontOf(body)]
  const used = [ofHeadings, ofBody].filter((font) => font !== null)
  const families = new Map(used.map((font) => [font.id, font]))
  return [
    ...[...families.values()].flatMap(({ id, faces }) => faces.map((face) => faceRules(id, face))),
    ...(ofBody ? [`body{font-family:${nameOf(ofBody.id)},${BEHIND}}`] : []),
    ...headingRule(heading, ofHeadings, ofBody),
  ].join('')
}

/** Headings take the font of the body unless the theme sets another one. */
function headingRule(given: string | undefined, own: ShownFont | null, ofBody: ShownFont | null): string[] {
  if (own) return [`h1,h2,h3{font-family:${nameOf(own.id)},${BEHIND}}`]
  return given === 'system' && ofBody ? [`h1,h2,h3{font-family:${BEHIND}}`] : []
}

/** The id as the name, because people may call a family as they like. */
const nameOf = (id: string): string => `"${id.replace(/[^A-Za-z0-9_]/g, '')}"`

/** A browser takes the last rule that has a letter, so it loads the whole face only for letters that are not Latin. */
const faceRules = (id: string, { weight, style, url, latinUrl }: ShownFace): string =>
  [
    { source: url, range: '' },
    ...(latinUrl === null ? [] : [{ source: latinUrl, range: `;unicode-range:${LATIN_UNICODE_RANGE}` }]),
  ]
    .map(
      ({ source, range }) =>
        `@font-face{font-family:${nameOf(id)};font-weight:${weight};font-style:${style};font-display:swap;src:url("${encodeURI(source)}") format("woff2")${range}}`,
    )
    .join('')

/** A heading below the title of a page; its id is the anchor. */
export interface Heading {
  level: number
  id: string
  text: string
}

/** One rendered page of the guide. The title and the summary are shown above the HTML and are not in it. */
export interface Page {
  /** The path below `/docs/guide/`. */
  slug: string
  title: string
  /** The first paragraph, as HTML. */
  summary: string
  html: string
  headings: Heading[]
}

export interface Group {
  title: string
  pages: Page[]
}

export const GUIDE = '/docs/guide/'

const LONGEST_WHOLE = 34

/** Code within a sentence. `html` is already escaped. Short code is never broken: a line could end at a hyphen. */
export const codeSpan = (html: string): string =>
  `<code${textOf(html).length > LONGEST_WHOLE ? '' : ' class="whole"'}>${html}</code>`

/** The plain text of HTML. It handles only the HTML that this guide produces. */
export const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|#x27|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&',
}

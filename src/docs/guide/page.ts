/** A heading below the title of a page; its id is the anchor. */
export interface Heading {
  level: number
  id: string
  text: string
}

/** One page of the guide, ready to be shown. The title and the summary stand above the HTML, not in it. */
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

const LONGEST_WHOLE = 36

/** Code within a sentence, already escaped; what is short is never broken, as a line would end after a hyphen. */
export const codeSpan = (html: string): string =>
  `<code${textOf(html).length > LONGEST_WHOLE ? '' : ' class="whole"'}>${html}</code>`

/** The plain text of a piece of HTML that was made here. */
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

import { type Page, textOf } from './page'

/** A place in the guide that a search can find: a whole page, or the text below one of its headings. */
export interface Place {
  path: string
  /** Title of the page. */
  title: string
  /** The heading, or null for the page as a whole. */
  heading: string | null
  text: string
}

export const MOST_QUERY = 100
const MOST_FOUND = 30

/** The words of a query in lower case. A query longer than `MOST_QUERY` characters is cut. */
export const wordsOf = (query: string): string[] =>
  query.slice(0, MOST_QUERY).toLowerCase().split(/\s+/).filter(Boolean)

/** Every place of a page. The text below a heading ends at the next heading. */
export function placesOf({ slug, title, summary, html, headings }: Page): Place[] {
  // A part starts with the tag that has its id.
  const starts = headings.map(({ id }) => html.lastIndexOf('<', html.indexOf(`id="${id}"`)))
  const textFrom = (index: number): string => textOf(html.slice(starts[index], starts[index + 1]))
  const whole = { path: slug, title, heading: null, text: `${textOf(summary)} ${textOf(html.slice(0, starts[0]))}` }
  const parts = headings.map(({ id, text }, index) => ({
    path: `${slug}#${id}`,
    title,
    heading: text,
    text: textFrom(index).slice(text.length).trim(),
  }))
  return [whole, ...parts]
}

/**
 * The places that contain every word, best first: in the heading, then in heading and title together, then in the text.
 * Places of the same rank keep the order of the guide.
 */
export function search(places: readonly Place[], words: readonly string[]): Place[] {
  if (words.length === 0) return []
  const ranked = places.map((place) => ({ place, rank: rankOf(place, words) }))
  const found = ranked.filter(({ rank }) => rank > 0).sort((one, other) => other.rank - one.rank)
  return found.slice(0, MOST_FOUND).map(({ place }) => place)
}

function rankOf({ title, heading, text }: Place, words: readonly string[]): number {
  const holds = (where: string) => (word: string) => where.toLowerCase().includes(word)
  if (words.every(holds(heading ?? title))) return heading === null ? 4 : 3
  // The heading must contain a word too: a match of the title alone would find every part of the page.
  if (words.some(holds(heading ?? '')) && words.every(holds(`${title} ${heading}`))) return 2
  return words.every(holds(text)) ? 1 : 0
}

const BEFORE = 60
const EXCERPT = 180

/** The piece of a text around the first of the words that it contains. */
export function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const first = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length))
  const at = first === text.length ? 0 : Math.max(0, text.lastIndexOf(' ', Math.max(0, first - BEFORE)))
  const end = at + EXCERPT
  return `${at > 0 ? '… ' : ''}${text.slice(at, end).trim()}${end < text.length ? ' …' : ''}`
}

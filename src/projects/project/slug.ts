import { invalid } from '../../base/errors'

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const MAX_DERIVED = 48

export const isSlug = (text: string): boolean => SLUG.test(text)

export function checkSlug(slug: string): string {
  if (!isSlug(slug)) throw invalid('slug must be 1 to 64 lower-case letters, digits and inner dashes')
  return slug
}

/** Derives a slug from a name: `Şişli Café 2` -> `sisli-cafe-2`. A name without such characters -> `project`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i').toLowerCase()
  const dashed = plain.replace(/[^a-z0-9]+/g, '-').slice(0, MAX_DERIVED)
  return dashed.replace(/^-+|-+$/g, '') || 'project'
}

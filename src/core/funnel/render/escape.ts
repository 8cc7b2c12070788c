const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text escaped for HTML, also for an attribute in quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** `name="value"` for each attribute that has a value; `true` is the bare name. */
export const attributes = (given: Readonly<Record<string, string | number | boolean | null | undefined>>): string =>
  Object.entries(given)
    .flatMap(([name, value]) => {
      if (value === null || value === undefined || value === false) return []
      return [value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`]
    })
    .join('')

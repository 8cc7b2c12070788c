/** The people and texts behind the marks of a thread. */
export type Marks = Readonly<Record<string, { text: string; subscriberId: string | null }>>

/** A text that still grows, without a mark at its end of which more may come. */
export const withoutHalfMark = (text: string): string => text.replace(/\bp(?:e(?:r(?:s(?:o(?:n(?:_\d*)?)?)?)?)?)?$/, '')

/** A part of a text: plain, the text behind a mark, or an id of an object. */
export interface TextPart {
  kind: 'text' | 'name' | 'id'
  text: string
  subscriberId?: string | null
}

const SPECIAL = /\bperson_\d+\b|\b[a-z]{3}_[0-9a-z]{20,40}\b/g

export function partsOf(text: string, marks: Marks): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(SPECIAL)) {
    if (index > end) parts.push({ kind: 'text', text: text.slice(end, index) })
    const mark = marks[found]
    if (mark) parts.push({ kind: 'name', text: mark.text, subscriberId: mark.subscriberId })
    else parts.push({ kind: found.startsWith('person_') ? 'text' : 'id', text: found })
    end = index + found.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

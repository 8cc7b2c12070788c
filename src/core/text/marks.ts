/** The replacement of a text with personal data, such as `person_3`. */
const MARK = /\bperson_\d+\b/g

/** The texts behind the marks of a thread. */
export type MarkedTexts = Readonly<Record<string, { readonly text: string }>>

/** A text with the texts behind its marks. `encode` changes each of them, as an address needs it. */
export const unmasked = (text: string, marks: MarkedTexts, encode = (own: string): string => own): string =>
  text.replace(MARK, (mark) => {
    const own = marks[mark]
    return own ? encode(own.text) : mark
  })

/** The same for each text in a value of JSON. */
export const unmaskedValue = <Value>(value: Value, marks: MarkedTexts): Value =>
  JSON.parse(JSON.stringify(value), (_name, one) => (typeof one === 'string' ? unmasked(one, marks) : one))

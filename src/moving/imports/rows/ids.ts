/** Words that exports write into a column of ids where there is none, in lower case. */
const NOTHING: ReadonlySet<string> = new Set([
  ...['null', 'nan', 'none', 'nil', 'n/a', '#n/a', '<na>', '(null)', '\\n', '-'],
])

/** Whether a text of an id column means no id. */
export const isNothing = (text: string): boolean => text.length <= 6 && NOTHING.has(text.toLowerCase())

/** `2.00000E+15` and `1,23E+05`, as spreadsheets write numbers with many digits, and `2e+15`, as scripts do. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d*)?[eE][+-]\d{1,3}$|^[+-]?\d+[.,]\d+[eE]\d{1,3}$/

/** Whole numbers that were read as fractions and written again. */
const FRACTION = /^\d+[.,]0+$/

const ERROR = /^#(?:NAME\?|REF!|VALUE!|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|#+)$/i

/** Why a text is what a spreadsheet or a script has made of an id, and no id; null when it may be one. */
export function ruinOfId(text: string): string | null {
  if (SHORTENED.test(text)) return `A spreadsheet has shortened this id and lost digits of it; ${AS_TEXT}`
  if (FRACTION.test(text)) return `This id was turned into a number with decimals; ${AS_TEXT}`
  return ERROR.test(text) ? `It is the error of a spreadsheet and no id; ${AS_TEXT}` : null
}

const AS_TEXT = 'export the file again and keep its ids as text'

const SERIAL = /^[1-9]\d{4}(?:[.,]\d+)?$/

/** Why a text that is no date in a known form is none. */
export function faultOfDate(text: string): string {
  if (SERIAL.test(text)) return 'A spreadsheet has turned this date into the number of a day; keep dates as text'
  if (SHORTENED.test(text)) return 'A spreadsheet has shortened this date to a number without its last digits'
  return 'It is not a date in a known form'
}

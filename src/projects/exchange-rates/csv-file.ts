import { readDate } from './day'
import { readDecimal } from './decimal'
import { atLine, RateFileFault } from './file-fault'
import { ONE, type Rate } from './rate'

/** One rate of a file, with the line on which it is. */
export interface FileRate {
  line: number
  day: number
  currency: string
  rate: Rate
}

const HEADER = 'date,currency,usd_per_unit'

/**
 * Reads `date,currency,usd_per_unit`, with this header. Throws a `RateFileFault` for a line of another form, for a rate
 * that is no positive number, for a day after `today`, and for a day and currency that come twice.
 */
export function* csvRates(text: string, today: number): Generator<FileRate> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  while (lines.at(-1) === '') lines.pop()
  if (lines[0] !== HEADER) throw atLine(1, `the header must be ${HEADER}`)
  if (lines.length === 1) throw new RateFileFault('the file has no rates')
  const seen = new Set<string>()
  for (const [index, content] of lines.entries()) {
    if (index === 0) continue
    const one = readLine(content, index + 1, today)
    const name = `${one.currency} of ${content.slice(0, 10)}`
    if (seen.has(name)) throw atLine(one.line, `${name} is in the file twice`)
    seen.add(name)
    yield one
  }
}

function readLine(content: string, line: number, today: number): FileRate {
  const [date = '', currency = '', text = '', ...rest] = content.split(',')
  if (rest.length > 0 || content.split(',').length < 3) throw atLine(line, `there must be three fields, ${HEADER}`)
  const day = readDate(date)
  if (day === null) throw atLine(line, `"${date.slice(0, 20)}" is no date such as 2026-11-20`)
  if (day > today) throw atLine(line, `${date} is in the future`)
  if (!/^[A-Z]{3}$/.test(currency)) throw atLine(line, `"${currency.slice(0, 20)}" is no code of a currency`)
  if (currency === 'USD') throw atLine(line, 'a dollar is always one dollar, so USD takes no rate')
  const dividend = readDecimal(text)
  if (!dividend) throw atLine(line, `usd_per_unit is "${text.slice(0, 30)}", which is no positive number`)
  return { line, day, currency, rate: { dividend, divisor: ONE } }
}

import { readDate, toDate } from './day'
import { type Decimal, readDecimal } from './decimal'
import { atLine, RateFileFault } from './file-fault'

/** What one euro cost on a day, by currency, as the European Central Bank published it. */
export interface EuroDay {
  day: number
  /** The line of the file on which the day starts. */
  line: number
  perEuro: ReadonlyMap<string, Decimal>
}

/** The central bank has published rates since the euro exists. */
const FIRST_DAY = 10_595 // 1999-01-04

const DECLARATION = /\uFEFF?\s*(?:<\?xml [^<>?]*\?>)?\s*/y
const ENVELOPE = /<gesmes:Envelope(?: xmlns(?::gesmes)?=(?:"[^"<>]*"|'[^'<>]*'))*\s*>\s*/y
const HEADER =
  /(?:<gesmes:subject>[^<]*<\/gesmes:subject>\s*)?(?:<gesmes:Sender>\s*<gesmes:name>[^<]*<\/gesmes:name>\s*<\/gesmes:Sender>\s*)?/y
const CONTENT = /<Cube>\s*/y
const TIME = /<Cube time=(?:"([^"<>]*)"|'([^'<>]*)')\s*>\s*/y
const RATE = /<Cube currency=(?:"([^"<>]*)"|'([^'<>]*)') rate=(?:"([^"<>]*)"|'([^'<>]*)')\s*\/>\s*/y
const END = /<\/Cube>\s*/y
const LAST = /<\/gesmes:Envelope>\s*$/y

/**
 * Reads `eurofxref-hist.xml`, `-hist-90d.xml` or `-daily.xml`, day by day in the order of the file. Throws a
 * `RateFileFault` for everything that such a file cannot contain: another structure, an end that is missing, a day or a
 * currency twice, a day after `today`, a day without dollars, a rate that is no positive number.
 */
export function* ecbDays(text: string, today: number): Generator<EuroDay> {
  const reader = new Reader(text)
  reader.take(DECLARATION)
  reader.need(ENVELOPE, '<gesmes:Envelope>')
  reader.take(HEADER)
  reader.need(CONTENT, '<Cube>')
  const seen = new Set<number>()
  for (let time: RegExpExecArray | null = reader.need(TIME, '<Cube time="…">'); time; time = reader.take(TIME)) {
    const day = dayOf(reader, time, today)
    if (seen.has(day)) throw reader.fault(`${toDate(day)} is in the file twice`)
    seen.add(day)
    const { line } = reader
    const perEuro = readRates(reader)
    if (!perEuro.has('USD')) throw atLine(line, `${toDate(day)} has no rate of the US dollar`)
    yield { day, line, perEuro }
  }
  reader.need(END, '</Cube>')
  reader.need(LAST, '</gesmes:Envelope> and the end of the file')
}

function dayOf(reader: Reader, [, double, single]: RegExpExecArray, today: number): number {
  const text = double ?? single ?? ''
  const day = readDate(text)
  if (day === null) throw reader.fault(`"${text.slice(0, 20)}" is no date`)
  if (day < FIRST_DAY) throw reader.fault(`${text} is before 1999-01-04, when the first rates were published`)
  if (day > today) throw reader.fault(`${text} is in the future`)
  return day
}

function readRates(reader: Reader): Map<string, Decimal> {
  const perEuro = new Map<string, Decimal>()
  for (let found = reader.take(RATE); found; found = reader.take(RATE)) {
    const [currency = '', text = ''] = [found[1] ?? found[2], found[3] ?? found[4]]
    if (!/^[A-Z]{3}$/.test(currency)) throw reader.fault(`"${currency.slice(0, 20)}" is no code of a currency`)
    if (perEuro.has(currency)) throw reader.fault(`${currency} is there twice on one day`)
    const rate = readDecimal(text)
    if (!rate) throw reader.fault(`the rate of ${currency} is "${text.slice(0, 20)}", which is no positive number`)
    perEuro.set(currency, rate)
  }
  reader.need(END, '</Cube>')
  return perEuro
}

/** A position in a text that only moves forward over what a pattern matches. */
class Reader {
  private at = 0
  private from = 0
  private readonly counted = { line: 1, to: 0 }

  constructor(private readonly text: string) {}

  /** What the pattern matches at the position, or null; the position is then behind it. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) [this.from, this.at] = [this.at, pattern.lastIndex]
    return found
  }

  need(pattern: RegExp, what: string): RegExpExecArray {
    const found = this.take(pattern)
    if (found) return found
    if (this.isCut) throw new RateFileFault('the file ends too early; it is not whole')
    throw atLine(this.lineOf(this.at), `${what} should be here, as in the files of the European Central Bank`)
  }

  private get isCut(): boolean {
    const isBegun = this.text.trim() === '' || this.text.includes('<gesmes:Envelope')
    return isBegun && !this.text.includes('</gesmes:Envelope>', this.at)
  }

  /** The line of what was matched last. */
  get line(): number {
    return this.lineOf(this.from)
  }

  fault(what: string): RateFileFault {
    return atLine(this.line, what)
  }

  /** Positions come in ascending order, so the lines before them are counted once. */
  private lineOf(position: number): number {
    const { text, counted } = this
    for (let at = text.indexOf('\n', counted.to); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) {
      counted.line++
      counted.to = at + 1
    }
    return counted.line
  }
}

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bankXml, type PublishedRates } from '../../../test/support/central-bank'
import { csvRates, type FileRate } from './csv-file'
import { readDate, toDate } from './day'
import { ecbDays } from './ecb-file'
import { RateFileFault } from './file-fault'
import { Plausibility } from './plausible'
import { PAR, readRate, writeRate } from './rate'
import { RateTable } from './rate-table'
import { dollarRates, toEuroRow, toLoadedRows } from './stored-rates'

const TODAY = readDate('2026-11-20') ?? 0

/** What a reader says about a file it refuses; null when it takes it. */
function faultOf(read: () => Iterable<unknown>): string | null {
  try {
    for (const _ of read());
    return null
  } catch (error) {
    if (error instanceof RateFileFault) return error.message
    throw error
  }
}

const RATES: PublishedRates = {
  '2026-11-18': { USD: '1.0852', JPY: '162.03', GBP: '0.84638' },
  '2026-11-19': { USD: '1.0870', JPY: '162.50', GBP: '0.84700' },
}

describe('the files of the central bank', () => {
  for (const kind of ['history', 'daily'] as const)
    test(`${kind}: each day with its rates, as they were published`, () => {
      const days = [...ecbDays(bankXml(RATES, kind), TODAY)]
      const rows = days.map(toEuroRow).map(({ day, rates }) => [toDate(day), rates])
      const newest = ['2026-11-19', { USD: '1.087', JPY: '162.5', GBP: '0.847' }]
      const earlier = ['2026-11-18', { USD: '1.0852', JPY: '162.03', GBP: '0.84638' }]
      expect(rows).toEqual(kind === 'daily' ? [newest] : [newest, earlier])
    })

  test('the price in dollars is dollars per euro, divided by units per euro', () => {
    const [day] = [...ecbDays(bankXml({ '2026-11-18': RATES['2026-11-18'] ?? {} }), TODAY)]
    if (!day) throw new Error('no day')
    const stored = toEuroRow(day)
    const fetched = RateTable.EMPTY.with([{ source: 'ECB', day: stored.day, rates: JSON.stringify(stored.rates) }])
    const loaded = RateTable.EMPTY.with(
      toLoadedRows(dollarRates(day)).map((one) => ({
        source: 'LOADED',
        day: one.day,
        rates: JSON.stringify(one.rates),
      })),
    )
    for (const table of [fetched, loaded]) {
      const found = table.currencies.map((currency) => [
        currency,
        writeRate(table.find(currency, day.day)?.rate ?? PAR),
      ])
      expect(found).toEqual([
        ['EUR', '1.0852'],
        ['GBP', '1.0852/0.84638'],
        ['JPY', '1.0852/162.03'],
      ])
    }
  })

  const good = bankXml(RATES)
  const refused: [name: string, text: string, says: string][] = [
    ['an empty file', '', 'it is not whole'],
    ['another page', '<html><body>Sign in</body></html>', '<gesmes:Envelope> should be here'],
    ['half a file', good.slice(0, good.length / 2), 'it is not whole'],
    ['no end', good.replace('</gesmes:Envelope>', ''), 'it is not whole'],
    ['no end of a day', good.replace('</Cube>\n', '\n'), '</Cube> should be here'],
    ['something behind the end', `${good}<x/>`, 'the end of the file should be here'],
    ['no day', bankXml({}), '<Cube time="…"> should be here'],
    ['a document type', good.replace('<gesmes', '<!DOCTYPE x [<!ENTITY a "b">]><gesmes'), 'should be here'],
    ['an entity', good.replace('1.0852', '&a;'), 'the rate of USD is "&a;"'],
    ['a rate of zero', good.replace('1.0852', '0'), 'line 3: the rate of USD is "0", which is no positive number'],
    ['a negative rate', good.replace('162.03', '-162.03'), 'the rate of JPY is "-162.03"'],
    ['a rate in words', good.replace('162.03', 'N/A'), 'the rate of JPY is "N/A"'],
    ['a decimal comma', good.replace('162.03', '162,03'), 'the rate of JPY is "162,03"'],
    ['an exponent', good.replace('162.03', '1e2'), 'the rate of JPY is "1e2"'],
    ['an empty rate', good.replace('162.03', ''), 'the rate of JPY is ""'],
    ['a day twice', good.replace('2026-11-18', '2026-11-19'), 'line 3: 2026-11-19 is in the file twice'],
    ['a currency twice', good.replace('currency="GBP"', 'currency="JPY"'), 'JPY is there twice on one day'],
    ['no dollars', good.replace('currency="USD"', 'currency="CHF"'), '2026-11-19 has no rate of the US dollar'],
    ['a currency in small letters', good.replace('currency="GBP"', 'currency="gbp"'), '"gbp" is no code'],
    ['a day in the future', good.replace('2026-11-19', '2026-11-21'), '2026-11-21 is in the future'],
    ['a day before the euro', good.replace('2026-11-18', '1998-12-31'), 'is before 1999-01-04'],
    ['a day that the calendar does not have', good.replace('2026-11-18', '2026-02-30'), '"2026-02-30" is no date'],
    ['an attribute more', good.replace('rate="1.0852"', 'rate="1.0852" x="1"'), 'should be here'],
  ]
  for (const [name, text, says] of refused)
    test(`refused: ${name}`, () => {
      expect(faultOf(() => ecbDays(text, TODAY))).toContain(says)
    })

  test('a file that is cut anywhere is refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: good.length - 1 }), (length) => {
        expect(faultOf(() => ecbDays(good.slice(0, length), TODAY))).not.toBeNull()
      }),
    )
  })

  test('a file with another character anywhere gives the same days or is refused', () => {
    const whole = JSON.stringify([...ecbDays(good, TODAY)].map(toEuroRow))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: good.length - 1 }),
        fc.constantFrom('<', '"', '&', '\0', 'é'),
        (at, mark) => {
          const text = good.slice(0, at) + mark + good.slice(at + 1)
          const days = faultOf(() => ecbDays(text, TODAY)) === null ? [...ecbDays(text, TODAY)].map(toEuroRow) : null
          // No mark belongs into a date, a code or a rate, so a file that is taken has the same ones.
          if (days) expect(JSON.stringify(days)).toBe(whole)
        },
      ),
    )
  })
})

describe('a file of one rate a line', () => {
  const HEAD = 'date,currency,usd_per_unit\n'

  test('with either end of line, and with or without a byte order mark', () => {
    for (const text of [
      `${HEAD}2026-10-31,AED,0.27229408\n2026-10-31,EGP,0.0211\n`,
      `\uFEFF${HEAD}2026-10-31,AED,0.27229408\r\n2026-10-31,EGP,0.0211`,
    ])
      expect(
        [...csvRates(text, TODAY)].map(({ line, day, currency, rate }) => [
          line,
          toDate(day),
          currency,
          writeRate(rate),
        ]),
      ).toEqual([
        [2, '2026-10-31', 'AED', '0.27229408'],
        [3, '2026-10-31', 'EGP', '0.0211'],
      ])
  })

  const refused: [name: string, text: string, says: string][] = [
    ['an empty file', '', 'line 1: the header must be date,currency,usd_per_unit'],
    ['no header', '2026-10-31,AED,0.27', 'line 1: the header must be'],
    ['another header', 'date,currency,units_per_usd\n2026-10-31,AED,3.67', 'line 1: the header must be'],
    ['only the header', HEAD, 'the file has no rates'],
    ['a field too few', `${HEAD}2026-10-31,AED`, 'line 2: there must be three fields'],
    ['a field too many', `${HEAD}2026-10-31,AED,0.27,x`, 'line 2: there must be three fields'],
    ['an empty line in the middle', `${HEAD}\n2026-10-31,AED,0.27`, 'line 2: there must be three fields'],
    ['a quoted field', `${HEAD}"2026-10-31",AED,0.27`, 'is no date'],
    ['another date', `${HEAD}31.10.2026,AED,0.27`, '"31.10.2026" is no date such as 2026-11-20'],
    ['a date that is none', `${HEAD}2026-02-29,AED,0.27`, '"2026-02-29" is no date'],
    ['the future', `${HEAD}2026-11-21,AED,0.27`, 'line 2: 2026-11-21 is in the future'],
    ['a name', `${HEAD}2026-10-31,Dirham,0.27`, '"Dirham" is no code of a currency'],
    ['the dollar', `${HEAD}2026-10-31,USD,1`, 'a dollar is always one dollar'],
    ['zero', `${HEAD}2026-10-31,AED,0.000`, 'usd_per_unit is "0.000", which is no positive number'],
    ['a negative rate', `${HEAD}2026-10-31,AED,-0.27`, 'usd_per_unit is "-0.27"'],
    ['a space', `${HEAD}2026-10-31,AED, 0.27`, 'usd_per_unit is " 0.27"'],
    [
      'a day and currency twice',
      `${HEAD}2026-10-31,AED,0.27\n2026-10-31,AED,0.27`,
      'line 3: AED of 2026-10-31 is in the file twice',
    ],
  ]
  for (const [name, text, says] of refused)
    test(`refused: ${name}`, () => {
      expect(faultOf(() => csvRates(text, TODAY))).toContain(says)
    })
})

describe('rates that cannot be', () => {
  const rateOf = (date: string, currency: string, text: string, line = 2): FileRate => ({
    ...{ line, day: readDate(date) ?? 0, currency, rate: readRate(text) ?? PAR },
  })
  const KNOWN = RateTable.EMPTY.with([
    { source: 'ECB', day: readDate('2026-10-30') ?? 0, rates: '{"USD":"1.0852","JPY":"162.03"}' },
  ])
  const check = (...rates: FileRate[]) =>
    faultOf(() => {
      const plausibility = new Plausibility(KNOWN)
      for (const one of rates) plausibility.check(one)
      return []
    })

  const refused: [name: string, rates: FileRate[], says: string][] = [
    ['dearer than any currency', [rateOf('2026-11-01', 'KWD', '10001')], 'which no currency is worth'],
    ['cheaper than any', [rateOf('2026-11-01', 'IRR', '0.0000000001')], 'which no currency is worth'],
    [
      'units per dollar',
      [rateOf('2026-11-01', 'JPY', '149.3')],
      'but 1.0852/162.03 on 2026-10-30; state dollars per unit',
    ],
    ['units per dollar for the same day', [rateOf('2026-10-30', 'JPY', '149.3')], 'but'],
    [
      'a leap within the file, whatever the order of its lines',
      [rateOf('2026-11-02', 'TRY', '2.9', 7), rateOf('2026-11-01', 'TRY', '0.029', 8)],
      'line 8: TRY of 2026-11-01 is 0.029 dollars, but 2.9 on 2026-11-02',
    ],
  ]
  for (const [name, rates, says] of refused)
    test(`refused: ${name}`, () => {
      expect(check(...rates)).toContain(says)
    })

  const taken: [name: string, rates: FileRate[]][] = [
    [
      'a fall by nearly ten within a month',
      [rateOf('2026-11-01', 'LBP', '0.00066'), rateOf('2026-11-02', 'LBP', '0.000067')],
    ],
    ['any change over more than a month', [rateOf('2026-01-01', 'ARS', '0.1'), rateOf('2026-03-01', 'ARS', '0.001')]],
    ['a currency without a rate of before', [rateOf('2026-11-01', 'XYZ', '123')]],
    ['what was stated before it was known', [rateOf('2026-10-29', 'JPY', '149.3')]],
  ]
  for (const [name, rates] of taken)
    test(`taken: ${name}`, () => {
      expect(check(...rates)).toBeNull()
    })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packText } from '../../base/lib/packed-text'

/** What the central bank quotes, and the dollar: those rates are better, and there is one for each day. */
const QUOTED = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR'.split(
    ' ',
  ),
)

/** Currencies that have replaced one which the list of countries still names. */
const NEWER = ['SLE', 'VES', 'XCG', 'ZWG']

const ROOT = join(import.meta.dir, '../../..')

/**
 * The rates of the packages `rates-YYYY-MM` of package.json, one day of each month, for the currencies of countries: a
 * line for each day, `2026-09-29 AED=3.6725 ...`, in units for one dollar, as one packed text, and the newest day. It is
 * a macro, so that the executable contains the rates and not the packages.
 */
export function packRates(): { newest: string; text: string } {
  const { devDependencies } = read<{ devDependencies: Record<string, string> }>(join(ROOT, 'package.json'))
  const names = Object.keys(devDependencies).filter((name) => /^rates-\d{4}-\d\d$/.test(name))
  const lines = names.sort().map(readDay)
  return { newest: lines.at(-1)?.slice(0, 10) ?? '', text: packText(lines.join('\n')) }
}

function readDay(name: string): string {
  const folder = join(ROOT, 'node_modules', name, 'v1')
  const { date, usd } = read<{ date: string; usd: Record<string, unknown> }>(join(folder, 'currencies/usd.min.json'))
  const countries = Object.values(read<Record<string, { currency_code?: string }>>(join(folder, 'country.json')))
  const codes = new Set(countries.map(({ currency_code = '' }) => currency_code.toUpperCase()))
  const wanted = [...codes, ...NEWER].filter((code) => /^[A-Z]{3}$/.test(code) && !QUOTED.has(code)).sort()
  const known = wanted.filter((code) => typeof usd[code.toLowerCase()] === 'number')
  return [date, ...known.map((code) => `${code}=${usd[code.toLowerCase()]}`)].join(' ')
}

const read = <Content>(path: string): Content => JSON.parse(readFileSync(path, 'utf8')) as Content

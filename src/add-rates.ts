import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'

/** The published rates of each day are a version of this package. */
const PACKAGE = '@fawazahmed0/currency-api'

/** What the central bank quotes, and the dollar: those rates are better, and there is one for each day. */
const QUOTED = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR'.split(
    ' ',
  ),
)

/** Currencies that have replaced one which the list of countries still names. */
const NEWER = ['SLE', 'VES', 'XCG', 'ZWG']

/** The line of a day: the date and the rates of the currencies of countries, in units for one dollar. */
function lineOf(folder: string): string {
  const { date, usd } = read<{ date: string; usd: Record<string, unknown> }>(join(folder, 'currencies/usd.min.json'))
  const countries = Object.values(read<Record<string, { currency_code?: string }>>(join(folder, 'country.json')))
  const codes = new Set(countries.map(({ currency_code = '' }) => currency_code.toUpperCase()))
  const wanted = [...codes, ...NEWER].filter((code) => /^[A-Z]{3}$/.test(code) && !QUOTED.has(code)).sort()
  const known = wanted.filter((code) => typeof usd[code.toLowerCase()] === 'number')
  return [date, ...known.map((code) => `${code}=${usd[code.toLowerCase()]}`)].join(' ')
}

const read = <Content>(path: string): Content => JSON.parse(readFileSync(path, 'utf8')) as Content

async function download(version: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-rates-'))
  try {
    await $`bun add --exact ${PACKAGE}@${version}`.cwd(folder).quiet()
    return lineOf(join(folder, 'node_modules', PACKAGE, 'v1'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** `bun src/add-rates.ts 2026.10.31` adds the rates of a day to those that the executable contains, in order. */
async function addRates([version]: string[]): Promise<void> {
  if (version === undefined) throw new Error('which day? For example: bun src/add-rates.ts 2026.10.31')
  const file = join(import.meta.dir, 'projects/exchange-rates/rates.txt')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const added = await download(version)
  const others = lines.filter((line) => line.slice(0, 10) !== added.slice(0, 10))
  writeFileSync(file, `${[...others, added].sort().join('\n')}\n`)
}

await addRates(process.argv.slice(2))

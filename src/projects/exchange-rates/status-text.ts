import { table } from '../../base/cli/table'
import { readDate } from './day'
import type { ConversionReport, RateStatus } from './status'

/** The status for people. */
export function statusText(found: RateStatus): string {
  const { sources, gaps, waiting, conversions } = found
  const parts = [
    table(headOf(found)),
    sources.length > 0 && table([['source', 'first', 'newest', 'days'], ...sources.map(toLine)]),
    gaps.length > 0 && table([['no rates after', 'until', 'weekdays'], ...gaps.map(toLine)]),
    waiting.length > 0 && table([['waits for a rate', 'transactions'], ...waiting.map(toLine)]),
    conversions.length > 0 && conversionTable(conversions),
  ]
  return parts.filter((part) => part !== false).join('\n\n')
}

const toLine = (members: object): string[] => Object.values(members).map(String)

function headOf({ url, newest, isStale, fetch, currencies, waiting }: RateStatus): string[][] {
  const transactions = waiting.reduce((sum, one) => sum + one.transactions, 0)
  return [
    ['fetched from', url],
    ['last fetch', fetchText(fetch)],
    ['newest rate', newest === null ? 'none' : `${newest}${isStale ? ' (more than 72 hours old)' : ''}`],
    ['currencies', endsOf(currencies, newest)],
    ['without dollars', transactions === 0 ? 'no transaction' : `${transactions} transactions`],
  ]
}

function fetchText(fetch: RateStatus['fetch']): string {
  if (!fetch) return 'none yet'
  return fetch.fault === null ? fetch.triedAt : `${fetch.triedAt}, failed: ${fetch.fault}`
}

/** How many there are, and which are no longer quoted: their last rate still counts. Packages have a rate a month. */
function endsOf(currencies: RateStatus['currencies'], newest: string | null): string {
  const quoted = currencies.filter(({ source }) => source !== 'PACKAGE')
  const ended = quoted.filter((one) => newest !== null && daysBetween(one.newest, newest) > ENDED_DAYS)
  const names = ended.map((one) => `${one.currency} ${one.newest}`).join(', ')
  return ended.length === 0 ? String(currencies.length) : `${currencies.length}; last rate long ago: ${names}`
}

const ENDED_DAYS = 31

const daysBetween = (first: string, last: string): number => (readDate(last) ?? 0) - (readDate(first) ?? 0)

function conversionTable(conversions: readonly ConversionReport[]): string {
  const rows = conversions.flatMap((one) => {
    const own = [one.updateId, one.state === 'DONE' ? (one.finishedAt ?? '') : 'waiting', one.from, String(one.checked)]
    if (one.currencies.length === 0) return [[...own, '0', '', '', '']]
    return one.currencies.map(({ currency, changed, usdMicrosBefore, usdMicrosAfter }) => [
      ...own,
      ...[String(changed), currency, usdMicrosBefore, usdMicrosAfter],
    ])
  })
  const head = ['conversion', 'finished', 'from', 'checked', 'changed', 'currency', 'usdMicros before', 'after']
  return table([head, ...rows])
}

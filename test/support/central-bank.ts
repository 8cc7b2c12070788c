/** What one euro costs on the days of a stand-in, as text, by date and currency. */
export type PublishedRates = Record<string, Record<string, string>>

/** How the bank writes its files: one line, with double quotes, for the histories; indented for the daily one. */
export function bankXml(rates: PublishedRates, kind: 'history' | 'daily' = 'history'): string {
  const days = Object.entries(rates).sort(([a], [b]) => (a < b ? 1 : -1))
  return kind === 'daily'
    ? indented(days.slice(0, 1))
    : `${OPENING}<Cube>\n${days.map(dayLine).join('')}</Cube></gesmes:Envelope>`
}

type Day = [date: string, rates: Record<string, string>]

const NAMES =
  'xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"'
const SENDER =
  '<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>'
const OPENING = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope ${NAMES}>${SENDER}`

const dayLine = ([date, rates]: Day): string =>
  `<Cube time="${date}">${Object.entries(rates)
    .map(([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`)
    .join('')}</Cube>\n`

const indented = (days: readonly Day[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope ${NAMES}>
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
${days
  .map(
    ([date, rates]) => `\t\t<Cube time='${date}'>
${Object.entries(rates)
  .map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`)
  .join('\n')}
\t\t</Cube>`,
  )
  .join('\n')}
\t</Cube>
</gesmes:Envelope>
`

/** A stand-in for the server of the European Central Bank, on loopback. */
export interface CentralBank {
  /** The folder of the files. */
  url: string
  /** The names of the files that were asked for. */
  readonly asked: string[]
  /** What it publishes; each of its three files has a part of it. */
  rates: PublishedRates
  /** Answers everything in another way; null = as the bank does. */
  answer: (() => Response | Promise<Response>) | null
  stop(): Promise<void>
}

const FILE = /^\/stats\/(eurofxref-(hist|hist-90d|daily)\.xml)$/
const SHORT_MS = 90 * 86_400_000

export function centralBank(rates: PublishedRates = {}): CentralBank {
  const asked: string[] = []
  const bank: CentralBank = {
    url: '',
    asked,
    rates,
    answer: null,
    stop: () => server.stop(true),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      const [, name, kind] = FILE.exec(pathname) ?? []
      asked.push(name ?? pathname)
      if (bank.answer) return bank.answer()
      if (name === undefined) return new Response('not here', { status: 404 })
      const newest = Math.max(...Object.keys(bank.rates).map((date) => Date.parse(date)))
      const isIn = (date: string) => kind === 'hist' || Date.parse(date) > newest - SHORT_MS
      const own = Object.fromEntries(Object.entries(bank.rates).filter(([date]) => isIn(date)))
      return new Response(bankXml(own, kind === 'daily' ? 'daily' : 'history'), {
        headers: { 'content-type': 'text/xml' },
      })
    },
  })
  bank.url = `http://127.0.0.1:${server.port}/stats`
  return bank
}

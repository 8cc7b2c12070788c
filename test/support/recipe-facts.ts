import { getTableColumns } from 'drizzle-orm'
import { declaredTables } from '../../src/base/db/personal-data'
import { makeTables } from '../../src/base/db/tables'
import { ERRORS } from '../../src/base/error-codes'
import { compileAudience } from '../../src/core/rules/compile'
import { fixedSubject } from '../../src/core/rules/interpreter.fixtures'
import { tablesOf } from '../../src/create-context'
import { CHARTS } from '../../src/insight/charts/charts'
import { PROVIDERS } from '../../src/outward/integrations/registry'
import { PROGRAM } from '../../src/program'
import { SLICES } from '../../src/slices'
import { guideLine } from './chart-lines'

// Runs in a copy of the tree in which all recipes of the guide were followed. The last line tells what the product has.

const CHART: string = 'voluntary-cancellation-share'
const chart = CHARTS.find(({ id }) => id === CHART)
const ids: string[] = CHARTS.map(({ id }) => id)
const at = ids.indexOf(CHART)
const provider = PROVIDERS.find(({ name }) => name === 'POSTHOG')
const rules = { plan: { $length: 3 } }
const people: Record<string, string>[] = [{ plan: 'pro' }, { plan: 'free' }, {}]
const commands = PROGRAM.commands.map(({ name }) => name)
const tables = makeTables('sqlite', tablesOf())
const declared = declaredTables(tables, {
  personalData: SLICES.flatMap(({ personalData }) => personalData ?? []),
  exportedRows: SLICES.flatMap(({ exportedRows }) => exportedRows ?? []),
})
const notes = [...declared.values()].find(({ name }) => name === 'notes')
const locales = ['en', 'de', 'tr', 'ja']

async function textsOf(area: string): Promise<Record<string, Record<string, string>>[]> {
  return Promise.all(locales.map(async (locale) => (await import(`../../src/console/text/${locale}/${area}`)).texts))
}

// By a path that the compiler does not follow: the screens need the types of a browser.
const SCREENS = '../../src/console/screens'
const { routes }: { routes: [path: string][] } = await import(`${SCREENS}/catalogue/routes`)
const common: Record<string, unknown>[] = await textsOf('common')

const facts = {
  chart: ids.slice(at - 1, at + 2),
  chartGroup: chart?.group,
  chartTitles: (await textsOf('charts')).slice(1).map(({ titles }) => titles?.[CHART]),
  guideLine:
    chart !== undefined && (await Bun.file('src/docs/guide/pages/charts.md').text()).includes(guideLine(chart)),
  provider: [provider?.title, provider?.secrets],
  error: Reflect.get(ERRORS, 'CHART_VIEW_LIMIT'),
  operator: people.map((attributes) => compileAudience(rules).matches(fixedSubject(attributes, {}))),
  command: commands.slice(commands.indexOf('balances') - 1, commands.indexOf('balances') + 2).join(' '),
  table: `${notes?.name}: ${notes?.holds} in ${notes?.exported}`,
  field: Object.keys(getTableColumns(tables.subscribers)).find((name) => name === 'nickname'),
  screen: [
    routes.map(([path]) => path).find((path) => path.endsWith('/balances')),
    ...common.map(({ balances }) => balances),
  ],
}

process.stdout.write(`${JSON.stringify(facts)}\n`)
process.exit(0)

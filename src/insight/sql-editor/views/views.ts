import type { QueryDialect } from '../compile/dialect'
import type { Source } from '../compile/level'
import type { View } from './model'
import { deliveries, purchases, transactions } from './money'
import { events, exposures, ledger, subscribers } from './people'
import { funnelSessions, sessions } from './usage'

/** The tables of the query language, in the order of wire 7.11. */
export const VIEWS: readonly View[] = [
  subscribers,
  purchases,
  transactions,
  events,
  ledger,
  exposures,
  sessions,
  funnelSessions,
  deliveries,
]

/** The views with the rows of one project; `project` is its id as a value of the statement. */
export const toViews = (dialect: QueryDialect, project: string): Map<string, Source> =>
  new Map(VIEWS.map((view) => [view.name, toSource(view, dialect, project)]))

function toSource({ columns, from }: View, dialect: QueryDialect, project: string): Source {
  const list = columns.map((column, index) => `${column.sql(dialect)} as c${index + 1}`).join(', ')
  return {
    sql: `(select ${list} from ${from(dialect, project)})`,
    columns: columns.map(({ name, type }, index) => ({ name, type, texts: 1, sqlName: `c${index + 1}` })),
  }
}

import { postgresTables } from './schema'

// The migration generator reads exported tables; nothing else imports this file.
export const {
  projects,
  apiKeys,
  storeSettings,
  auditLog,
  revisions,
  subscribers,
  transfers,
  access,
  products,
  currencyGrants,
  offerings,
  virtualCurrencies,
  purchases,
  observations,
  transactions,
  ledger,
  balances,
  assignments,
  events,
  jobs,
  cronRuns,
  idempotencyKeys,
  simulatorKeys,
  simulatorChains,
} = postgresTables

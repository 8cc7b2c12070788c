import { type DialectRules, postgres, type QueryDialect, sqlite } from './dialect'
import { clickhouse } from './dialect-clickhouse'

export const DIALECTS: Readonly<Record<QueryDialect, DialectRules>> = { sqlite, postgres, clickhouse }

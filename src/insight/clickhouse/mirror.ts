import { type Column, getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { makeTables, type Tables } from '../../base/db/tables'
import { sha256Hex } from '../../base/lib/hash'
import { columnsWith } from '../../core/columns/columns'
import { deliveryTables } from '../../outward/deliveries/tables'
import { currencyTables } from '../../people/currencies/tables'
import { eventTables } from '../../people/events/tables'
import { PURCHASE_COLUMNS, TRANSACTION_COLUMNS } from '../../people/purchases/columns'
import { purchaseTables } from '../../people/purchases/tables'
import { SUBSCRIBER_COLUMNS } from '../../people/subscribers/columns'
import { subscriberTables } from '../../people/subscribers/tables'
import { catalogTables } from '../../projects/catalog/tables'
import { experimentTables } from '../../targeting/experiments/tables'
import { figureTables } from '../figures/tables'
import { telemetryTables } from '../telemetry/tables'

/** A table whose rows are copied to ClickHouse. */
export interface Mirrored {
  name: keyof Tables
  /** The columns of its primary key. */
  key: readonly string[]
  /** What its rows are sorted by there. None of these columns ever changes, and the key is among them. */
  order: readonly string[]
  /** The columns that are copied; all by default. */
  only?: readonly string[]
}

/** What figures, charts, cohorts, leaderboards and the views of the SQL editor are made of. */
export const MIRRORED: readonly Mirrored[] = [
  { name: 'figureEntries', key: ['position'], order: ['projectId', 'environment', 'at', 'position'] },
  {
    name: 'purchases',
    key: ['id'],
    order: ['projectId', 'id'],
    only: columnsWith(PURCHASE_COLUMNS, 'mirror', 'COPIED'),
  },
  {
    name: 'observations',
    key: ['purchaseId', 'kind', 'id'],
    order: ['purchaseId', 'kind', 'id'],
    only: ['purchaseId', 'kind', 'id', 'eventAt', 'payload'],
  },
  {
    name: 'transactions',
    key: ['id'],
    order: ['projectId', 'id'],
    only: columnsWith(TRANSACTION_COLUMNS, 'mirror', 'COPIED'),
  },
  {
    name: 'subscribers',
    key: ['id'],
    order: ['projectId', 'id'],
    only: columnsWith(SUBSCRIBER_COLUMNS, 'mirror', 'COPIED'),
  },
  { name: 'events', key: ['position'], order: ['projectId', 'position'] },
  {
    name: 'clientEvents',
    key: ['position'],
    order: ['projectId', 'position'],
    only: ['position', 'projectId', 'subscriberId', 'type', 'occurredAt', 'recordedAt'],
  },
  { name: 'ledger', key: ['id'], order: ['projectId', 'id'] },
  {
    name: 'balances',
    key: ['subscriberId', 'currencyId'],
    order: ['currencyId', 'subscriberId'],
    only: ['subscriberId', 'currencyId', 'balance'],
  },
  { name: 'assignments', key: ['experimentId', 'subscriberId'], order: ['projectId', 'experimentId', 'subscriberId'] },
  { name: 'experiments', key: ['id'], order: ['projectId', 'id'], only: ['id', 'projectId', 'key', 'name'] },
  { name: 'products', key: ['id'], order: ['projectId', 'id'], only: ['id', 'projectId', 'identifier'] },
  { name: 'virtualCurrencies', key: ['id'], order: ['projectId', 'id'], only: ['id', 'projectId', 'code'] },
  { name: 'sessionProjects', key: ['number'], order: ['number'] },
  { name: 'sessionSubjects', key: ['number'], order: ['number'] },
  { name: 'sessionPacks', key: ['key'], order: ['project', 'day', 'key'] },
  {
    name: 'deliveries',
    key: ['position'],
    order: ['projectId', 'position'],
    only: [
      ...['position', 'id', 'projectId', 'kind', 'targetId', 'eventId', 'type', 'seq', 'subscriberId', 'status'],
      ...['attempts', 'dueAt', 'lastStatusCode', 'lastError', 'skipReason', 'isTest', 'createdAt', 'endedAt'],
    ],
  },
]

const DEFINITIONS = [
  ...[figureTables, purchaseTables, subscriberTables, eventTables, currencyTables],
  ...[experimentTables, catalogTables, telemetryTables, deliveryTables],
]

/** The tables of PostgreSQL, with which ClickHouse is read; only those that are copied are there. */
export const mirrorTables = (): Tables => makeTables('postgres', DEFINITIONS)

export const mirroredTable = (tables: Tables, { name }: Mirrored): Table => tables[name] as unknown as Table

export const tableNameOf = (tables: Tables, mirrored: Mirrored): string => getTableName(mirroredTable(tables, mirrored))

/** The name of a column in the database, as the drivers write it. */
export const columnName = (column: Column): string => (column.keyAsName ? toSnakeCase(column.name) : column.name)

/** The columns of a table that are copied, by the names of their properties. */
export function columnsOf(tables: Tables, mirrored: Mirrored): Record<string, Column> {
  const all = Object.entries(getTableColumns(mirroredTable(tables, mirrored)))
  return Object.fromEntries(all.filter(([name]) => mirrored.only?.includes(name) ?? true))
}

/**
 * What ClickHouse calls the type of a column, by what Postgres calls it. There are no floating-point numbers among them,
 * because SQLite shortens those that it writes as JSON.
 */
const TYPES: Readonly<Record<string, string>> = {
  text: 'String',
  'text collate "C"': 'String',
  bigint: 'Int64',
  bigserial: 'Int64',
  boolean: 'Bool',
  jsonb: 'String',
}

/** The columns that a mirrored table has in ClickHouse, with their types. `tables` are those of PostgreSQL. */
export function clickhouseColumns(tables: Tables, mirrored: Mirrored): Record<string, string> {
  const columns = Object.values(columnsOf(tables, mirrored)).map((column) => {
    const type = TYPES[column.getSQLType()]
    if (!type) throw new Error(`no type of ClickHouse for ${column.name}: ${column.getSQLType()}`)
    return [columnName(column), column.notNull ? type : `Nullable(${type})`]
  })
  return Object.fromEntries(columns)
}

/** Changes when rows must be copied again. */
export const columnsMark = (tables: Tables, mirrored: Mirrored): string =>
  sha256Hex(JSON.stringify(clickhouseColumns(tables, mirrored))).slice(0, 16)

/**
 * The statement that makes a mirrored table. Of rows with one key the newest version counts; one that is marked deleted
 * makes the row disappear.
 */
export function createStatement(tables: Tables, mirrored: Mirrored): string {
  const columns = Object.entries(clickhouseColumns(tables, mirrored)).map(([name, type]) => `  "${name}" ${type},`)
  const own = columnsOf(tables, mirrored)
  const order = mirrored.order.map((name) => `"${columnName(own[name] as Column)}"`)
  return [
    `CREATE TABLE IF NOT EXISTS "${tableNameOf(tables, mirrored)}" (`,
    ...columns,
    '  "_version" UInt64,',
    '  "_deleted" UInt8',
    `) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY (${order.join(', ')});`,
  ].join('\n')
}

import { expect, test } from 'bun:test'
import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { MIGRATIONS } from '../src/base/db/migrations'
import { makeTables } from '../src/base/db/tables'
import { tablesOf } from '../src/create-context'
import { columnName } from '../src/insight/clickhouse/mirror'
import { BELONGINGS } from '../src/moving/project-move/belongings'
import { conditionOf, isMoved, plansOf } from '../src/moving/project-move/plan'
import { TABLE_OF_PREFIX } from '../src/moving/project-move/references'

const tables = makeTables('sqlite', tablesOf())
const plans = plansOf(tables)
const columnsOf = (table: Table): string[] => Object.values(getTableColumns(table)).map(columnName)
const all = Object.entries(tables) as [member: string, table: Table][]

test('every table says how its rows belong to a project', () => {
  expect(Object.keys(BELONGINGS).sort()).toEqual(all.map(([member]) => member).sort())
})

test('a table with the id of a project belongs to projects, or says why it does not move', () => {
  const free = all.filter(([member, table]) => {
    const belonging = Reflect.get(BELONGINGS, member)
    return columnsOf(table).includes('project_id') && belonging === 'DEPLOYMENT'
  })
  // A host's certificate is made anew where it arrives; work on the rates of all projects, of which one is in turn.
  expect(free.map(([member]) => member)).toEqual(['tlsNames', 'rateConversions'])
})

test('every column that a declaration names is there', () => {
  const columns = new Map(all.map(([, table]) => [getTableName(table), columnsOf(table)]))
  for (const { table, rows } of plans) {
    const { by, through, serial, numbers = {}, version, sealed = {} } = rows
    const own = [by, through?.column, serial, version, ...Object.keys(numbers), ...Object.keys(sealed)]
    for (const column of own.filter((name) => name !== undefined)) expect(columns.get(table)).toContain(column)
    for (const parent of [through?.parent, through?.other])
      if (parent !== undefined) expect(columns.get(parent)).toContain(through?.parentKey ?? '')
    for (const { table: of } of Object.values(numbers))
      expect(plans.find((plan) => plan.table === of)?.rows.serial).toBeString()
  }
})

test('every serial key and every encrypted column is declared', () => {
  for (const { table, rows } of plans) {
    const definition = all.find(([, one]) => getTableName(one) === table)?.[1]
    const columns = Object.values(definition ? getTableColumns(definition) : {})
    const serials = columns.filter((column) => Reflect.get(column, 'autoIncrement') === true).map(columnName)
    if (!rows.isRebuilt) expect(serials).toEqual(rows.serial === undefined ? [] : [rows.serial])
    const sealed = columns.map(columnName).filter((name) => name.startsWith('sealed'))
    expect(Object.keys(rows.sealed ?? {})).toEqual(expect.arrayContaining(sealed))
  }
})

test('a condition never lets the id of a project end its text', () => {
  for (const plan of plans) {
    const condition = conditionOf(plans, plan, "x' or '1' = '1")
    expect(condition.replaceAll("'x'' or ''1'' = ''1'", '')).not.toContain("or '1'")
  }
})

test('the migrations of both dialects have the same names, by which a file is judged', () => {
  expect(MIGRATIONS.sqlite.map(({ tag }) => tag)).toEqual(MIGRATIONS.postgres.map(({ tag }) => tag))
})

test('the rows of every table with ids are found by the beginning of their ids', () => {
  const named = plans.filter(isMoved).filter(({ table }) => {
    const definition = all.find(([, one]) => getTableName(one) === table)?.[1]
    return definition !== undefined && columnsOf(definition).includes('id')
  })
  // Their ids are not those of svc: a job is judged as a whole, and the rows of test stores name stores and devices.
  const others = ['jobs', 'simulator_keys', 'simulator_chains', 'simulator_messages', 'erasures']
  // Their ids are those that rows of other tables had or get: money lines and purchases.
  others.push('joined_transactions', 'unlisted_sales')
  const wanted = named.map(({ table }) => table).filter((table) => !others.includes(table))
  expect(Object.values(TABLE_OF_PREFIX).toSorted()).toEqual(wanted.toSorted())
})

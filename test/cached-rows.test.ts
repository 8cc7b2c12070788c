import { expect, test } from 'bun:test'
import { getTableName } from 'drizzle-orm'
import { makeTables } from '../src/base/db/tables'
import { CachedRows, declaredRows, forgetChanged, type RowChange } from '../src/base/http/cached-rows'
import { tablesOf } from '../src/create-context'
import { SLICES } from '../src/slices'

const tables = makeTables('sqlite', tablesOf())
const declared = declaredRows(tables, { cachedRows: SLICES.flatMap(({ cachedRows }) => cachedRows ?? []) })
const rows = new CachedRows(declared)

test('every table of the product is declared', () => {
  expect(
    Object.values(tables)
      .map((table) => getTableName(table))
      .filter((name) => !declared.has(name)),
  ).toEqual([])
})

const cases: [sql: string, args: unknown[], change: RowChange][] = [
  ['update "subscribers" set "attributes" = ? where "subscribers"."id" = ?', ['{}', 'sub_1'], ['sub_1']],
  [
    'update "subscribers" set "merged_into" = ? where "subscribers"."merged_into" = ?',
    ['sub_2', 'sub_1'],
    ['sub_2', 'sub_1'],
  ],
  [
    'update "subscribers" set "merged_into" = ? where ("subscribers"."id" in (?, ?) and "subscribers"."merged_into" = ?)',
    ['sub_1', 'sub_3', 'sub_4', 'sub_2'],
    ['sub_1', 'sub_3', 'sub_4', 'sub_2'],
  ],
  ['insert into "subscribers" ("id", "label") values (?, ?) on conflict do nothing', ['sub_1', null], ['sub_1']],
  ['insert into "experiment_assignments" ("experiment_id") values (?, ?)', ['exp_1', 'sub_1'], ['sub_1']],
  [
    'delete from "experiment_assignments" where ("experiment_assignments"."experiment_id" = ? and "experiment_assignments"."subscriber_id" = ?)',
    ['exp_1', 'sub_1'],
    ['sub_1'],
  ],
  ['update "subscribers" set "last_seen_at" = ? where "subscribers"."id" in (?, ?)', [1, 'sub_1', 'sub_2'], 'NOBODY'],
  [
    'update "subscribers" set "seq" = "subscribers"."seq" + $1 where "subscribers"."id" = $2 returning "seq"',
    [1, 'sub_1'],
    'NOBODY',
  ],
  // As PostgreSQL is asked.
  ['update "subscribers" set "attributes" = $1 where "subscribers"."id" = $2', ['{}', 'sub_1'], ['sub_1']],
  ['update "subscribers" set "attributes" = $1 where "subscribers"."seq" = $2', ['{}', 1], 'ANYBODY'],
  ['delete from "purchases" where "purchases"."id" in ($1, $12)', ['pur_1', 'pur_2'], ['pur_1', 'pur_2']],
  // Whoever holds a purchase is known by it.
  ['update "purchases" set "status" = ? where "purchases"."id" = ?', ['EXPIRED', 'pur_1'], ['pur_1']],
  [
    'update "purchases" set "subscriber_id" = ? where "purchases"."id" in (?, ?)',
    ['sub_1', 'pur_1', 'pur_2'],
    ['sub_1', 'pur_1', 'pur_2'],
  ],
  [
    'update "purchases" set "recheck_at" = ? where ("purchases"."id" in (?, ?) and "purchases"."recheck_at" <= ?) returning "id"',
    [5, 'pur_1', 'pur_2', 4],
    ['pur_1', 'pur_2'],
  ],
  [
    'insert into "purchases" ("id", "subscriber_id", "product_id") values (?, ?, null), (?, ?, null)',
    ['pur_1', 'sub_1', 'pur_2', 'sub_2'],
    ['pur_1', 'sub_1', 'pur_2', 'sub_2'],
  ],
  ['delete from "purchases" where "purchases"."subscriber_id" = ?', ['sub_1'], ['sub_1']],
  ['update "purchase_observations" set "kind" = ? where "purchase_id" = ?', ['x', 'pur_1'], 'NOBODY'],
  ['update "transactions" set "subscriber_id" = ? where "purchase_id" in (?)', ['sub_1', 'pur_1'], 'NOBODY'],
  ['insert into "events" ("id") values (?)', ['evt_1'], 'NOBODY'],
  ['update "of_a_later_slice" set "seq" = ? where "of_a_later_slice"."id" = ?', [1, 'sub_1'], 'ANYBODY'],
  ['insert into "of_a_later_slice" ("id") values (?)', ['sub_1'], 'ANYBODY'],
  // What is not picked out by the ids of subscribers may be anybody's.
  ['update "subscribers" set "attributes" = ?', ['{}'], 'ANYBODY'],
  ['update "subscribers" set "merged_into" = ? where "subscribers"."device_key" = ?', ['sub_1', 'svc_a'], 'ANYBODY'],
  [
    'update "subscribers" set "erased_at" = ? where ("subscribers"."id" = ? or "subscribers"."seq" = ?)',
    [1, 'sub_1', 0],
    'ANYBODY',
  ],
  [
    'update "subscribers" set "seq" = ? where not "subscribers"."id" = ? and "subscribers"."id" = ?',
    [1, 'sub_1', 'sub_2'],
    'ANYBODY',
  ],
  [
    'update "subscribers" set "seq" = ? where "subscribers"."id" in (select "subscriber_id" from "purchases" where "id" = ?)',
    [1, 'sub_1'],
    'ANYBODY',
  ],
  ['update "subscribers" set "last_seen_at" = ?, "attributes" = ? where "seq" = ?', [1, '{}', 1], 'ANYBODY'],
  ['insert into "subscribers" select * from "others" where "id" = ?', ['sub_1'], 'ANYBODY'],
  [`insert into "experiment_assignments" ("subscriber_id") values ('sub_1')`, [], 'ANYBODY'],
  ['delete from "experiment_assignments" where "experiment_assignments"."experiment_id" = ?', ['exp_1'], 'ANYBODY'],
  ['delete from experiment_assignments where "subscriber_id" = ?', ['sub_1'], 'ANYBODY'],
  ['with d as (select 1) update "subscribers" set "seq" = 1 where "id" = ?', ['sub_1'], 'ANYBODY'],
  ['replace into "subscribers" ("id") values (?)', ['sub_1'], 'ANYBODY'],
  ['update or replace "subscribers" set "seq" = 1 where "id" = ?', ['sub_1'], 'ANYBODY'],
  ['drop table "subscribers"', [], 'ANYBODY'],
  ['update "purchases" set "status" = ? where "purchases"."product_id" = ?', ['EXPIRED', 'pur_1'], 'ANYBODY'],
  ['update "purchases" set "status" = ? where "purchases"."id" = ?', ['EXPIRED', 'grant_1'], 'ANYBODY'],
  [`update "purchases" set "subscriber_id" = 'sub_2' where "id" = ?`, ['pur_1'], 'ANYBODY'],
  ['update "purchases" set "subscriber_id" = "account_token" where "id" = ?', ['pur_1'], 'ANYBODY'],
  ['update "purchases" set "status" = ? from "others" where "others"."id" = ?', ['EXPIRED', 'pur_1'], 'ANYBODY'],
  [
    'insert into "purchases" ("id", "subscriber_id") values (?, ?) on conflict ("chain_key") do update set "status" = ?',
    ['pur_1', 'sub_1', 'EXPIRED'],
    'ANYBODY',
  ],
  ['delete from "purchases"', [], 'ANYBODY'],
  ['UPDATE purchases SET recheck_at = updated_at + 86400000', [], 'ANYBODY'],
]
test.each(cases)('%s', (sql, args, change) => expect(rows.changeOf(sql, args)).toEqual(change))

test('is forgotten at the end of the transaction, not before and not again', () => {
  const told: string[] = []
  const listener = forgetChanged(rows, { forget: (id) => told.push(id), clear: () => told.push('all') })
  const byId = 'update "subscribers" set "seq" = ? where "subscribers"."id" = ?'
  listener.changing(byId, [1, 'sub_1'])
  listener.changing(byId, [2, 'sub_1'])
  listener.changing(byId, [1, 'sub_2'])
  expect(told).toEqual([])
  listener.ended()
  expect(told).toEqual(['sub_1', 'sub_2'])
  listener.changing('delete from "subscribers"', [])
  listener.ended()
  listener.ended()
  expect(told.slice(2)).toEqual(['all'])
})

test('a table is declared once', () => {
  const own = { flags: 'NOBODY' } as const
  expect(() => declaredRows(tables, { cachedRows: [own, own] })).toThrow('two slices declare')
})

test('only ids that changes name can be told of', () => {
  expect(['sub_1', 'pur_1', 'grant_1', 'a_sub_1', ''].map((id) => rows.isRowId(id))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(new CachedRows(new Map()).isRowId('sub_1')).toBe(false)
})

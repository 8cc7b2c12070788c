import { expect, test } from 'bun:test'
import { changedSubscribers, forgetChanged, type RowChange } from './row-changes'

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
  ['update "purchases" set "subscriber_id" = ? where "purchases"."id" = ?', ['sub_1', 'pur_1'], 'NOBODY'],
  ['insert into "events" ("id") values (?)', ['evt_1'], 'NOBODY'],
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
]
test.each(cases)('%s', (sql, args, change) => expect(changedSubscribers(sql, args)).toEqual(change))

test('is forgotten at the end of the transaction, not before and not again', () => {
  const told: string[] = []
  const listener = forgetChanged({ forget: (id) => told.push(id), clear: () => told.push('all') })
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

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { type SqlStage, sqlStage } from '../support/sql-editor'

// The same statements and the same answers on both databases: the suite runs on each of them.

let on: SqlStage
beforeAll(async () => {
  on = await sqlStage()
})
afterAll(() => on.s.close())

const DAY_1 = '2026-11-20T00:00:00.000Z'

const ANSWERS: [name: string, sql: string, rows: unknown[][]][] = [
  [
    'revenue by month and product',
    `select date_trunc('month', occurred_at) as month, product_identifier, sum(usd_micros) as micros,
       sum(usd_micros) / 1000000.0 as dollars, count(*)
     from transactions where kind <> 'REFUND' and occurred_at >= '2026-11-01' group by 1, 2 order by 1, 2`,
    [
      ['2026-11-01T00:00:00.000Z', 'coins_100', 990_000, 0.99, 1],
      ['2026-11-01T00:00:00.000Z', 'pro_monthly', 9_990_000, 9.99, 1],
      ['2026-11-01T00:00:00.000Z', 'pro_yearly', 79_990_000, 79.99, 1],
    ],
  ],
  [
    'averages, extremes and what is counted once',
    `select avg(amount_micros), min(amount_micros), max(product_identifier), count(distinct subscriber_id),
       count(*) filter (where amount_micros > 1000000), avg(renewal_number) from transactions`,
    [[30_323_333.333333332, 990_000, 'pro_yearly', 2, 2, 0]],
  ],
  [
    'without rows',
    'select count(*), sum(amount_micros), avg(amount_micros), max(kind) from transactions where store = $$none$$',
    [[0, null, null, null]],
  ],
  [
    'who buys, with what they are',
    `select s.attributes ->> '$email' as email, count(p.id) as purchases, max(t.amount_micros)
     from subscribers s left join purchases p on p.subscriber_id = s.id left join transactions t on t.purchase_id = p.id
     group by 1 order by 2 desc, 1`,
    [
      [null, 2, 79_990_000],
      ['own@example.com', 1, 9_990_000],
    ],
  ],
  [
    'an order of texts by their bytes, with null at the end and at the beginning',
    `select x from (select 'b' as x union all select 'B' union all select 'a' union all select null union all select 'é') t
     order by x`,
    [['B'], ['a'], ['b'], ['é'], [null]],
  ],
  [
    'the reversed order',
    "select x from (select 'b' as x union all select null union all select 'a') t order by x desc limit 2",
    [[null], ['b']],
  ],
  [
    'what the clocks of a zone show, cut and written as times in UTC are',
    `select t at time zone 'Asia/Tokyo', date_trunc('day', t at time zone 'Asia/Tokyo'),
       to_char(t at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI'), extract(hour from timezone('Europe/Berlin', t)),
       null::timestamp at time zone 'Asia/Tokyo'
     from (select timestamp '2026-11-20 16:00:00' as t) x`,
    [['2026-11-21T01:00:00.000', '2026-11-21T00:00:00.000', '2026-11-20 11:00', 17, null]],
  ],
  [
    'what clocks show has no Z, also from a query inside, of two queries, and as the first of a group',
    `select a, min(a) over (), b from (select t at time zone 'Asia/Tokyo' as a, t as b from
       (select timestamp '2026-11-20 16:00:00' as t) x) y union all select null, null, null`,
    [
      ['2026-11-21T01:00:00.000', '2026-11-21T01:00:00.000', '2026-11-20T16:00:00.000Z'],
      [null, null, null],
    ],
  ],
  [
    'around the hours where the clocks of a zone change',
    `select to_char(t at time zone 'Europe/Berlin', 'HH24:MI:SS') from (select timestamp '2026-03-29 00:59:59' as t
       union all select timestamp '2026-03-29 01:00:00' union all select timestamp '2026-10-25 00:59:59'
       union all select timestamp '2026-10-25 01:00:00') x order by t`,
    [['01:59:59'], ['03:00:00'], ['02:59:59'], ['02:00:00']],
  ],
  ['comparisons of texts', "select 'B' < 'a', 'a' < 'é', 'a' = 'A', 'abc' > 'ab'", [[true, true, false, true]]],
  [
    'LIKE knows the case, ILIKE does not',
    "select 'Pro' like 'p%', 'Pro' ilike 'p%', '50%_x' like '50\\%\\_x', '50ab' like '50\\%%', 'É' ilike 'é', 'ab' not like 'a'",
    [[false, true, true, false, false, true]],
  ],
  [
    'arithmetic of integers and of numbers',
    'select 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7 / 2.0, 1 / 0, 1 / 0.0, 2147483647 + 1, 10 * 3 - 4 + 1, 2 - 3 - 4',
    [[3, -3, 1, -1, 3.5, null, null, 2_147_483_648, 27, -5]],
  ],
  [
    'rounding goes away from zero',
    'select round(2.5), round(-2.5), round(1.005, 2), round(2.675, 2), round(3), floor(-1.5), ceil(1.1), abs(-2.5), 2.9::int',
    [[3, -3, 1, 2.68, 3, -2, 2, 2.5, 2]],
  ],
  [
    'integers beyond 53 bits keep their digits',
    'select 9007199254740993 = 9007199254740992, 9007199254740993 + 0 > 9007199254740992',
    [[false, true]],
  ],
  [
    'three-valued logic',
    'select null = 1, null is null, (null = 1) is true, not (null = 1), 1 in (2, null), 1 not in (2), null is distinct from 1, coalesce(null, 2)',
    [[null, true, false, null, null, true, true, 2]],
  ],
  [
    'CASE in both forms',
    "select case 2 when 1 then 'a' when 2 then 'b' end, case when false then 1 else 2.5 end, case when null then 1 end",
    [['b', 2.5, null]],
  ],
  [
    'texts',
    "select lower('ÀB'), upper('éa'), length('héé'), substr('abcdef', 2, 3), left('abc', 2), strpos('hello', 'l'), trim('  x '), 'a' || 1 || 'b', nullif('a', 'a')",
    [['Àb', 'éA', 3, 'bcd', 'ab', 3, 'x', 'a1b', null]],
  ],
  [
    'times',
    `select timestamp '2026-11-20 23:59:59.999', date_trunc('day', t), date_trunc('week', t), date_trunc('year', t),
       extract(year from t), extract(month from t), extract(day from t), extract(hour from t), extract(minute from t),
       extract(dow from t), extract(doy from t), to_char(t, 'YYYY-MM-DD"T"HH24:MI:SS'), t::date
     from (select timestamp '2026-11-22T10:30:15.5+03:00' as t) x`,
    [
      [
        '2026-11-20T23:59:59.999Z',
        '2026-11-22T00:00:00.000Z',
        '2026-11-16T00:00:00.000Z',
        '2026-01-01T00:00:00.000Z',
        2026,
        11,
        22,
        7,
        30,
        0,
        326,
        '2026-11-22T07:30:15',
        '2026-11-22T00:00:00.000Z',
      ],
    ],
  ],
  [
    'intervals',
    `select timestamp '2024-01-31' + interval '1 month', timestamp '2024-02-29' + interval '1 year',
       timestamp '2026-03-01' - interval '1 day 2 hours', timestamp '2026-03-01' - interval '2 weeks'`,
    [['2024-02-29T00:00:00.000Z', '2025-02-28T00:00:00.000Z', '2026-02-27T22:00:00.000Z', '2026-02-15T00:00:00.000Z']],
  ],
  [
    'the days on which apps were used',
    `select day, count(distinct subscriber_id), sum(duration_ms), max(app_version) from sessions group by day order by day`,
    [
      ['2026-11-19T00:00:00.000Z', 1, 90_000, 'own-1.2'],
      [DAY_1, 1, 0, 'own-1.2'],
    ],
  ],
  [
    'single sessions',
    'select type, occurred_at, duration_ms, sdk_version from sessions order by occurred_at',
    [
      ['open', '2026-11-19T08:00:00.000Z', 0, null],
      ['close', '2026-11-19T09:00:00.000Z', 90_000, null],
      ['open', '2026-11-20T07:00:00.000Z', 0, null],
    ],
  ],
  [
    'purchases with what their state says',
    `select product_identifier, product_type, status, price_micros, currency, quantity, is_trial, auto_renews, expires_at, refunded_at
     from purchases where product_identifier = 'pro_monthly'`,
    [
      [
        ...['pro_monthly', 'SUBSCRIPTION', 'ACTIVE', 9_990_000, 'USD', 1, false, true],
        ...['2026-12-20T08:00:00.000Z', null],
      ],
    ],
  ],
  [
    'JSON shows in one spelling, and its members are texts',
    `select attributes, attributes -> 'country', attributes ->> 'level', (attributes ->> 'level')::int + 1,
       attributes ->> 'note', attributes ->> 'nothing', access -> 'pro' ->> 'isActive', access ->> 'pro',
       (attributes ->> 'country')::int
     from subscribers where attributes ->> '$email' is not null`,
    [
      [
        '{"$email":"own@example.com","country":"TR","level":"12","note":"own 50%_off \\"x\\""}',
        ...['"TR"', '12', 13, 'own 50%_off "x"', null, 'true', null, null],
      ],
    ],
  ],
  [
    'the ledger with its running sum',
    `select currency, type, amount, balance, sum(amount) over (order by number) as running, row_number() over (order by number desc)
     from ledger order by number`,
    [
      ['coins', 'PURCHASE', 500, 500, 500, 2],
      ['coins', 'PURCHASE', 100, 600, 600, 1],
    ],
  ],
  [
    'windows',
    `select product_identifier, rank() over (order by amount_micros desc), lag(product_identifier) over (order by amount_micros),
       amount_micros * 100 / sum(amount_micros) over () from transactions order by 2`,
    [
      ['pro_yearly', 1, 'pro_monthly', 87],
      ['pro_monthly', 2, 'coins_100', 10],
      ['coins_100', 3, null, 1],
    ],
  ],
  [
    'exposures',
    'select experiment_key, variant_id, platform, country, exposed_at > assigned_at from exposures',
    [['own_checkout', 'var_own', 'ios', 'TR', true]],
  ],
  [
    'deliveries',
    'select id, kind, status, attempts, is_test from deliveries',
    [['whd_own', 'WEBHOOK', 'SUCCEEDED', 1, false]],
  ],
  ['no funnel runs', 'select count(*) from funnel_sessions', [[0]]],
  [
    'subqueries',
    `select product_identifier, (select count(*) from transactions t where t.purchase_id = p.id) from purchases p
     where p.subscriber_id in (select subscriber_id from ledger) and exists (select 1 from events e where e.subscriber_id = p.subscriber_id)
     order by 1`,
    [
      ['coins_100', 1],
      ['pro_yearly', 1],
    ],
  ],
  [
    'common table expressions',
    `with paid as (select subscriber_id, sum(usd_micros) as usd from transactions group by 1),
       ranked (who, usd, place) as (select subscriber_id, usd, rank() over (order by usd desc) from paid)
     select place, usd from ranked where place <= 2 order by place`,
    [
      [1, 80_980_000],
      [2, 9_990_000],
    ],
  ],
  [
    'UNION, INTERSECT and EXCEPT as PostgreSQL reads them',
    'select 1 as n union all select 2 intersect select 3 union all select 4 except select 4 order by n',
    [[1]],
  ],
  [
    'one side of UNION with numbers',
    'select 1 as n union all select 2.5 union all select null order by 1',
    [[1], [2.5], [null]],
  ],
  [
    'JOIN … USING names its columns once',
    `select * from (select 1 as a, 2 as b) x join (select 1 as a, 3 as c) y using (a)`,
    [[1, 2, 3]],
  ],
  [
    'tables with commas and joins',
    'select a.n, b.n, c.n from (select 1 as n) a, (select 2 as n) b left join (select 3 as n) c on c.n = b.n where a.n < b.n',
    [[1, 2, null]],
  ],
  [
    'DISTINCT with an order',
    'select distinct store, environment as env from purchases order by env',
    [['IOS_STORE', 'SANDBOX']],
  ],
  ['HAVING', 'select subscriber_id is null, count(*) from purchases group by 1 having count(*) > 1', [[false, 3]]],
  ['OFFSET without LIMIT', 'select number from ledger order by number offset 1', [[2]]],
  ['a table by another name', 'select "T".id is not null from purchases as "T" limit 1', [[true]]],
  [
    'a name of PostgreSQL',
    "select pg_catalog.lower('A'), position('b' in 'abc'), substring('abc' from 2 for 1)",
    [['a', 2, 'b']],
  ],
]

describe('answers', () => {
  for (const [name, sql, rows] of ANSWERS) test(name, async () => expect(await on.rows(sql)).toEqual(rows))
})

test('an integer of 64 bits shows all its digits', async () => {
  on.s.ctx.clock.advance(MINUTE)
  const response = await on.s.app.handle(
    new Request(`http://localhost/dashboard/projects/${on.s.project.id}/queries/execute`, {
      method: 'POST',
      headers: { cookie: 'svc_session=DEVELOPER', origin: 'http://localhost', 'content-type': 'application/json' },
      body: JSON.stringify({ sql: 'select 9223372036854775807 as most, -9223372036854775807 as least' }),
    }),
  )
  expect(await response.text()).toContain('"rows":[[9223372036854775807,-9223372036854775807]]')
})

test('now() is the clock of the server', async () => {
  const { body } = await on.query("select now(), current_timestamp, current_date, now() - interval '1 month'")
  const now = on.s.ctx.clock.now()
  const [row] = body.data.rows
  expect(row).toEqual([
    new Date(now).toISOString(),
    new Date(now).toISOString(),
    DAY_1,
    new Date(now).toISOString().replace('-11-', '-10-'),
  ])
})

test('the names of columns are those of the query', async () => {
  const { body } = await on.query(
    'select id, sum(quantity) as total, count(*), max(quantity), id as "Any Name", 1, store::text from purchases group by id, store limit 0',
  )
  expect(body.data.columns).toEqual(['id', 'total', 'count', 'max', 'Any Name', 'column', 'store'])
  expect(body.data.types).toEqual(['text', 'integer', 'integer', 'integer', 'text', 'integer', 'text'])
})

test('an integer beyond 64 bits is refused and is no other number', async () => {
  for (const sql of [
    'select sum(x) from (select 9223372036854775807 as x union all select 9223372036854775807) t',
    'select 9223372036854775807 + 1',
    'select 9223372036854775807 * amount_micros from transactions',
  ]) {
    const { status, body } = await on.query(sql)
    expect([status, body.error?.details]).toEqual([400, { reason: 'syntax' }])
    expect(body.error.message).toMatch(/out of range|overflow/)
  }
})

test('merged and erased people are no rows', async () => {
  const { subscribers } = on.s.ctx.tables
  const count = () => on.rows('select count(*) from subscribers')
  const [[before]] = (await count()) as [[number]]
  await on.s.ctx.write(async ({ db }) => {
    const stamps = { firstSeenAt: 1, lastSeenAt: 1, createdAt: 1, updatedAt: 1 }
    const person = (id: string) => ({
      ...{ id, projectId: on.s.project.id, deviceKey: id, attributes: {}, seq: 0, toldAccess: {}, isSynthetic: false },
      ...stamps,
    })
    await db
      .insert(subscribers)
      .values([
        { ...person('sub_merged'), mergedInto: 'sub_x' },
        { ...person('sub_erased'), erasedAt: 5 },
        person('sub_live'),
      ])
  })
  expect(await count()).toEqual([[before + 1]])
})

test('local_day is the day in the time zone of the project', async () => {
  const sql =
    "select local_day(timestamp '2026-11-20 16:00:00'), local_day(null), count(*) from transactions group by 1, 2"
  const dayIn = async (timezone: string) => {
    const { projects } = on.s.ctx.tables
    await on.s.ctx.write((tx) => tx.db.update(projects).set({ timezone }).where(eq(projects.id, on.s.project.id)))
    on.s.ctx.state.projects.forget(on.s.project.id)
    return (await on.rows(sql))[0]?.slice(0, 2)
  }
  expect(await dayIn('UTC')).toEqual(['2026-11-20', null])
  expect(await dayIn('Asia/Tokyo')).toEqual(['2026-11-21', null])
  expect(await dayIn('America/Los_Angeles')).toEqual(['2026-11-20', null])
})

test.each([["'Mars/Olympus'"], ["''"], ['kind'], ['3'], ["'UTC''; drop table x; --'"]])(
  '%s is no time zone',
  async (zone) => {
    const refused = await on.query(`select occurred_at at time zone ${zone} from transactions`)
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'QUERY_REJECTED'])
  },
)

import { type SQL, sql } from 'drizzle-orm'
import type { Stage } from './cast'
import { rowOf } from './facts'

const COLUMNS = sql.raw(
  'project_id, attributes, seq, told_access, is_synthetic, first_seen_at, last_seen_at, created_at, updated_at',
)

/** The numbers from 0 on, as a table `n` with the column `i`. */
const numbers = (count: number): SQL =>
  sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.raw(String(count - 1))})`

const ID = sql.raw("'sub_zz' || cast(1000000000 + i as text)")

export const crowdId = (i: number): string => `sub_zz${1_000_000_000 + i}`

interface Runner {
  run?(statement: SQL): Promise<unknown>
  execute?(statement: SQL): Promise<unknown>
}

/** Each of the two databases has another name for it. */
export const execute = (s: Stage, statement: SQL): Promise<unknown> =>
  s.ctx.write(async (tx) => {
    const db = tx.db as Runner
    await (db.run ?? db.execute)?.call(db, statement)
  })

/** Writes many subscribers that are like the one of a device, but for their keys `many 0`, `many 1` ... */
export async function makeCrowd(s: Stage, device: string, count: number): Promise<void> {
  const { id } = await rowOf(s, device)
  await execute(
    s,
    sql`insert into subscribers (id, device_key, ${COLUMNS})
      ${numbers(count)} select ${ID}, 'many ' || cast(i as text), ${COLUMNS} from n, subscribers where id = ${id}`,
  )
}

/** Gives each of the crowd the balance `(i * step) % count + 1`. */
export async function fillBalances(s: Stage, currencyId: string, count: number, step: number): Promise<void> {
  const balance = sql.raw(`(cast(i as bigint) * ${step}) % ${count} + 1`)
  await execute(
    s,
    sql`insert into balances (subscriber_id, currency_id, balance, number)
      ${numbers(count)} select ${ID}, cast(${currencyId} as text), ${balance}, 1 from n`,
  )
}

export async function removeCrowd(s: Stage): Promise<void> {
  await execute(s, sql`delete from balances where subscriber_id like 'sub_zz%'`)
  await execute(s, sql`delete from subscribers where id like 'sub_zz%'`)
}

import { type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

/** A subquery for `in`: the ids of a subscriber and of every row merged into it, directly or through other rows. */
export const familyOf = ({ subscribers: s }: Handle['tables'], id: unknown): SQL =>
  sql`(with recursive family(id) as (
    select ${s.id} from ${s} where ${s.id} = ${id}
    union select ${s.id} from ${s} join family on ${s.mergedInto} = family.id) select id from family)`

import type { ChangeListener } from '../../base/db/change-listener'
import { isRowId } from '../../base/http/response-cache'

/** Whom a statement concerns: by ids, whose rows they are or who holds the purchases; or as far as it tells, anybody. */
export type RowChange = 'NOBODY' | 'ANYBODY' | readonly string[]

/**
 * Reads from any statement of ours which subscribers it may give another row, merge, assignment or purchase: by their
 * ids, or by those of purchases that they have. It stands where all statements pass, so that no writer has to say it;
 * what it does not understand may concern anybody.
 */
export function changedRows(sql: string, args: readonly unknown[]): RowChange {
  const reach = reachOf(sql)
  if (reach !== 'NAMED') return reach
  const ids = args.filter((value) => typeof value === 'string').filter(isRowId)
  return ids.length === 0 ? 'ANYBODY' : ids
}

type Reach = 'NOBODY' | 'ANYBODY' | 'NAMED'

const reaches = new Map<string, Reach>()
const MAX_TEXTS = 1000

/** By the text alone; the same few hundred come again and again. */
function reachOf(sql: string): Reach {
  const known = reaches.get(sql)
  if (known) return known
  if (reaches.size >= MAX_TEXTS) reaches.clear()
  const reach = readReach(sql)
  reaches.set(sql, reach)
  return reach
}

const TARGET = /^(insert into|update|delete from) "(\w+)"/i
const TABLES: ReadonlySet<string> = new Set(['subscribers', 'experiment_assignments', 'purchases'])
/** Last-seen instants change by themselves all the time; whoever asks for them must not keep the answer. */
const PRESENCE = /^update "subscribers" set "last_seen_at" = \? where /
/** Rows that ids among the values pick out. */
const PICKS = /"(id|merged_into|subscriber_id)" (= \?|in \([?, ]+\))/
/** May pick out others as well, or give them what no value names. */
const OBSCURE = /\b(or|select|not|case|from|do update)\b|'|"(subscriber_id|merged_into)" = [^?n]/i

function readReach(sql: string): Reach {
  const [head = '', verb = '', table = ''] = TARGET.exec(sql) ?? []
  if (table === '') return 'ANYBODY'
  if (!TABLES.has(table) || PRESENCE.test(sql)) return 'NOBODY'
  const rest = sql.slice(head.length)
  if (OBSCURE.test(rest)) return 'ANYBODY'
  if (/^insert/i.test(verb)) return 'NAMED'
  const start = rest.indexOf(' where ')
  return start !== -1 && PICKS.test(rest.slice(start)) ? 'NAMED' : 'ANYBODY'
}

/** Lets whoever keeps what was made of subscribers' rows forget it when they change. */
export function forgetChanged(keeper: { forget(rowId: string): void; clear(): void }): ChangeListener {
  let changed = new Set<string>()
  let isAnybody = false
  return {
    changing(sql, args) {
      const who = changedRows(sql, args)
      if (who === 'NOBODY') return
      if (who === 'ANYBODY') isAnybody = true
      else for (const id of who) changed.add(id)
    },
    ended() {
      if (isAnybody) keeper.clear()
      else for (const id of changed) keeper.forget(id)
      isAnybody = false
      if (changed.size > 0) changed = new Set()
    },
  }
}

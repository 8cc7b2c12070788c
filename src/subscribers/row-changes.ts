import type { ChangeListener } from '../db/change-listener'

/** Whose rows a statement changes: some subscribers', by their ids, or as far as its text tells, anybody's. */
export type RowChange = 'NOBODY' | 'ANYBODY' | readonly string[]

/**
 * Reads from any statement of ours which subscribers it may give another row, merge or assignment. It stands where all
 * statements pass, so that no writer has to say it; what it does not understand may concern anybody.
 */
export function changedSubscribers(sql: string, args: readonly unknown[]): RowChange {
  const reach = reachOf(sql)
  if (reach !== 'NAMED') return reach
  const ids = args.filter(isId)
  return ids.length === 0 ? 'ANYBODY' : ids
}

const isId = (value: unknown): value is string => typeof value === 'string' && value.startsWith('sub_')

type Reach = 'NOBODY' | 'ANYBODY' | 'NAMED'

const reaches = new Map<string, Reach>()
const MAX_TEXTS = 1000

/** By the text alone; the same few hundred come again and again. */
function reachOf(sql: string): Reach {
  const known = reaches.get(sql)
  if (known) return known
  if (reaches.size >= MAX_TEXTS) reaches.clear()
  const reach = judge(sql)
  reaches.set(sql, reach)
  return reach
}

const TARGET = /^(insert into|update|delete from) "(\w+)"/i
const TABLES: ReadonlySet<string> = new Set(['subscribers', 'experiment_assignments'])
/** Last-seen instants change by themselves all the time; whoever asks for them must not keep the answer. */
const PRESENCE = /^update "subscribers" set "last_seen_at" = \? where /
/** Rows that their subscribers' ids, among the values, pick out. */
const PICKS = /"(id|merged_into|subscriber_id)" (= \?|in \([?, ]+\))/
const OBSCURE = /\b(or|select|not|case)\b/i

function judge(sql: string): Reach {
  const [, verb = '', table = ''] = TARGET.exec(sql) ?? []
  if (table === '') return 'ANYBODY'
  if (!TABLES.has(table) || PRESENCE.test(sql)) return 'NOBODY'
  if (OBSCURE.test(sql)) return 'ANYBODY'
  if (/^insert/i.test(verb)) return 'NAMED'
  const start = sql.indexOf(' where ')
  return start !== -1 && PICKS.test(sql.slice(start)) ? 'NAMED' : 'ANYBODY'
}

/** Lets whoever keeps what was made of subscribers' rows forget it when they change. */
export function forgetChanged(keeper: { forget(subscriberId: string): void; clear(): void }): ChangeListener {
  let changed = new Set<string>()
  let isAnybody = false
  return {
    changing(sql, args) {
      const who = changedSubscribers(sql, args)
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

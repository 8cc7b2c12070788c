import { type Check, ok, warn } from '../../base/cli/doctor'
import type { Handle } from '../../base/db/handle'
import { DAY, HOUR } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { RetentionRule } from '../../base/retention/rule'

const NAME = 'retention'
/** The sweep runs every hour, and a large backlog takes a while. */
const OVERDUE_MS = DAY

/** What is kept for a limited time, for how long, the oldest of it, and whether it should be gone. */
export async function checkRetention(handle: Handle, rules: readonly RetentionRule[], now: number): Promise<Check> {
  const found: { text: string; isOverdue: boolean }[] = []
  for (const rule of rules) found.push(await describe(handle, rule, now))
  const overdue = found.filter(({ isOverdue }) => isOverdue).map(({ text }) => text)
  const all = found.map(({ text }) => text).join('; ')
  if (overdue.length === 0) return ok(NAME, `Nothing is older than it may be: ${all}.`)
  return warn(
    NAME,
    `Should have been deleted: ${overdue.join('; ')}; see why in the log of the server, which does it hourly.`,
  )
}

async function describe(
  handle: Handle,
  rule: RetentionRule,
  now: number,
): Promise<{ text: string; isOverdue: boolean }> {
  const oldest = (await rule.oldest?.(handle)) ?? []
  const late = oldest.find(({ at, keptMs }) => at + keptMs + OVERDUE_MS < now)
  const first = late ?? oldest.toSorted((a, b) => a.at - b.at)[0]
  const parts = [ageOf(rule), ...(first ? [`oldest ${toIso(first.at).slice(0, 10)}`] : [])]
  return { text: `${rule.name} (${parts.join(', ')})`, isOverdue: late !== undefined }
}

export function ageOf({ keptMs, setting }: Pick<RetentionRule, 'keptMs' | 'setting'>): string {
  const age = keptMs <= DAY ? `${Math.floor(keptMs / HOUR)} hours` : `${Math.floor(keptMs / DAY)} days`
  return [keptMs === 0 ? 'while valid' : age, ...(setting === undefined ? [] : [`or ${setting}`])].join(' ')
}

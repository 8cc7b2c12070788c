import { canonicalJson } from '../../base/lib/hash'
import type { Pair } from './model'
import { isChanged } from './pair'
import { type Plan, plannedIn } from './plan'
import type { AnySection } from './section'

/** The change of one object, for the diff and the audit log. It is plain JSON and never contains a secret. */
export interface ObjectChange {
  op: 'create' | 'update' | 'delete'
  /** The kind of the object, from the key of its section: `virtualCurrency`. */
  kind: string
  /** The identifier after the change. */
  ref: string
  id: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** The members that differ; empty unless `op` is `update`. */
  members: MemberChange[]
  isPruned: boolean
}

export interface MemberChange {
  /** For example `storeIds.ios` or `packages[0].isPromoted`. */
  path: string
  before: unknown
  after: unknown
}

/** The changes of all objects that a plan changes, in the order of the sections. */
export const changesOf = ({ sections, pairs }: Pick<Plan, 'sections' | 'pairs'>): ObjectChange[] =>
  sections.flatMap((section) => objectChanges(section, plannedIn(pairs).of(section.key)))

function objectChanges(section: AnySection, pairs: readonly Pair<object>[]): ObjectChange[] {
  const view = (state: object) => section.view?.(state) ?? { ...state }
  const changedPairs = pairs.filter((pair) => isChanged(pair, view))
  return changedPairs.map(({ id, name, formerName, before, after, isPruned }) => {
    const views = [
      before && { ...section.named(formerName ?? name), ...view(before) },
      after && { ...section.named(name), ...view(after) },
    ] as const
    return change({ kind: section.key.kind, ref: name, id, isPruned }, ...views)
  })
}

type Subject = Pick<ObjectChange, 'kind' | 'ref' | 'id' | 'isPruned'>
type View = Record<string, unknown> | null

const change = (subject: Subject, before: View, after: View): ObjectChange => ({
  op: before === null ? 'create' : after === null ? 'delete' : 'update',
  ...subject,
  before,
  after,
  members: before === null || after === null ? [] : differences(before, after, ''),
})

/** The differences between two JSON values. Objects, and lists of equal length with objects, are compared by member. */
function differences(before: unknown, after: unknown, path: string): MemberChange[] {
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return []
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differences(before[name], after[name], path === '' ? name : `${path}.${name}`),
    )
  if (isRecordList(before) && isRecordList(after) && before.length === after.length)
    return before.flatMap((item, index) => differences(item, after[index], `${path}[${index}]`))
  return [{ path, before: before ?? null, after: after ?? null }]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

const isRecordList = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isRecord)

export interface Counts {
  create: number
  update: number
  delete: number
}

export const countChanges = (changes: readonly ObjectChange[]): Counts => ({
  create: changes.filter(({ op }) => op === 'create').length,
  update: changes.filter(({ op }) => op === 'update').length,
  delete: changes.filter(({ op }) => op === 'delete').length,
})

import { canonicalJson } from '../../base/lib/hash'
import { splitFlagName } from './current-targeting'
import type { Pair } from './pair'
import type { Plan } from './plan'
import type { StorePair } from './plan-stores'

export type Kind =
  | 'project'
  | 'access'
  | 'virtualCurrency'
  | 'product'
  | 'offering'
  | 'audience'
  | 'flag'
  | 'experiment'
  | 'funnel'
  | 'placement'
  | 'store'

/** One object's change as it is shown and kept in the audit log: plain JSON, no secret in it. */
export interface ObjectChange {
  op: 'create' | 'update' | 'delete'
  kind: Kind
  /** The identifier afterwards. */
  ref: string
  id: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** What differs, of an update. */
  members: MemberChange[]
  isPruned: boolean
}

export interface MemberChange {
  /** `storeIds.ios`, `packages[0].isPromoted` */
  path: string
  before: unknown
  after: unknown
}

/** Whether applying would change the object. */
export const isChanged = (pair: Pair<unknown>): boolean =>
  pair.name !== pair.formerName || canonicalJson(pair.before) !== canonicalJson(pair.after)

/** Every object that a plan changes, in the order of the sections. */
export const changesOf = ({ project, catalog, targeting, stores }: Plan): ObjectChange[] => [
  ...objectChanges('project', 'slug', [project]),
  ...objectChanges('access', 'identifier', catalog.access),
  ...objectChanges('virtualCurrency', 'code', catalog.virtualCurrencies),
  ...objectChanges('product', 'identifier', catalog.products),
  ...objectChanges('offering', 'identifier', catalog.offerings),
  ...objectChanges('audience', 'name', targeting.audiences),
  ...objectChanges('funnel', 'slug', targeting.funnels),
  ...objectChanges('flag', splitFlagName, targeting.flags),
  ...objectChanges('experiment', 'key', targeting.experiments),
  ...objectChanges('placement', 'identifier', targeting.placements),
  ...stores.flatMap(storeChange),
]

const objectChanges = <State extends object>(
  kind: Kind,
  naming: string | ((name: string) => { key: string; env: string }),
  pairs: readonly Pair<State>[],
): ObjectChange[] =>
  pairs.filter(isChanged).map(({ id, name, formerName, before, after, isPruned }) => {
    const named = (given: string): Record<string, unknown> =>
      typeof naming === 'string' ? { [naming]: given } : naming(given)
    const views = [
      before && { ...named(formerName ?? name), ...before },
      after && { ...named(name), ...after },
    ] as const
    return change({ kind, ref: name, id, isPruned }, ...views)
  })

type Subject = Pick<ObjectChange, 'kind' | 'ref' | 'id' | 'isPruned'>
type View = Record<string, unknown> | null

const change = (subject: Subject, before: View, after: View): ObjectChange => ({
  op: before === null ? 'create' : after === null ? 'delete' : 'update',
  ...subject,
  before,
  after,
  members: before === null || after === null ? [] : differences(before, after, ''),
})

export const isStoreChanged = (pair: StorePair): boolean => storeChange(pair).length > 0

function storeChange({ section, before, after, isPruned }: StorePair): ObjectChange[] {
  const was = before && showSecrets(before.config, before.secretPaths, () => '(saved)')
  const isNew = new Set(after?.newSecretPaths)
  const becomes =
    after && showSecrets(after.config, after.secretPaths, (path) => (isNew.has(path) ? '(new)' : '(saved)'))
  if (canonicalJson(was) === canonicalJson(becomes)) return []
  return [change({ kind: 'store', ref: section, id: section, isPruned }, was, becomes)]
}

/** A section's members with a word in the place of each secret. */
function showSecrets(
  config: Record<string, unknown>,
  paths: readonly string[],
  word: (path: string) => string,
): Record<string, unknown> {
  const shown = { ...config }
  for (const path of paths) {
    const [group = path, member] = path.split('.')
    shown[group] = member === undefined ? word(path) : { ...(shown[group] as object | null), [member]: word(path) }
  }
  return shown
}

/** What differs between two JSON values, as deep as their shapes agree. */
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
  typeof value === 'object' && value !== null && !Array.isArray(value)

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

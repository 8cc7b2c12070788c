import { type Audiences, matchersOver, nothingMentioned } from '../audience/matchers'
import { type Surroundings, textSubject } from '../audience/subject'
import { bucketBy } from '../bucket/bucket'
import { sha256Head } from '../bucket/sha256'
import { compileFlag, saltOf } from './compile'
import { explainFlag, type FlagExplanation } from './evaluate'
import type { FlagRow } from './schema'

/** What rules read of one person, as the server sends it. Every value is text. */
export interface Person {
  attributes: Readonly<Record<string, string>>
  /** The `svc.` values; null = missing. */
  builtIns: Readonly<Record<string, string | null>>
  bucketingId: string
  /** What the flags give the person, by key. */
  flags?: ReadonlyMap<string, unknown>
  /** Which of the person's values are in the list of which audience. */
  groups?: readonly { audience: string; values: readonly string[] }[]
}

/** For where the runtime has no fast SHA-256. */
const bucket = bucketBy(sha256Head)

/** 0 to 9999: the place of a person in the rollout of a rule. */
export const placeOf = (bucketingId: string, key: string, rule: number): number =>
  bucket(bucketingId, saltOf(key, rule))

/**
 * What a draft of a flag gives one person, and what became of each rule. Null when the draft has no valid default
 * value: it cannot be saved.
 */
export function previewFlag(draft: Omit<FlagRow, 'id'>, person: Person, audiences: Audiences): FlagExplanation | null {
  const { flag } = compileFlag({ ...draft, id: '' }, matchersOver(audiences, nothingMentioned()), bucket)
  const { attributes, builtIns, bucketingId } = person
  return flag && explainFlag(flag, textSubject(attributes, builtIns, surroundingsOf(person)), bucketingId)
}

const surroundingsOf = ({ flags, groups = [] }: Person): Surroundings => ({
  flag: (key) => (flags?.has(key) ? flagText(flags.get(key)) : undefined),
  isInGroup: (name, text) => groups.some(({ audience, values }) => audience === name && values.includes(text)),
})

/** What rules read of the value of a flag: a text stays as it is; any other value is written as JSON. */
export const flagText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

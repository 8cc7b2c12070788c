import type { Version } from './versions'

/** A scalar that rules compare with. */
export type Operand = string | number | boolean | null

export type OrderOperator = '$gt' | '$gte' | '$lt' | '$lte'
export type VersionOperator = '$vgt' | '$vgte' | '$vlt' | '$vlte' | '$veq' | '$vne'
export type DateOperator = '$dgt' | '$dgte' | '$dlt' | '$dlte'
export type TextOperator = '$startsWith' | '$endsWith' | '$contains' | '$startsWithi' | '$endsWithi' | '$containsi'

/** An instant in milliseconds, or one that moves with the clock: so many milliseconds after now, or before it. */
export type DateOperand = { at: number } | { fromNow: number }

/** A comparison of the number of items of a list. */
export interface SizeLimit {
  operator: '$eq' | '$ne' | OrderOperator
  operand: number
}

/** One question about one attribute. */
export type RuleQuestion =
  | { operator: '$eq' | '$ne'; operand: Operand }
  | { operator: OrderOperator; operand: string | number }
  | { operator: '$in' | '$nin' | '$ini' | '$nini' | '$all'; operand: readonly Operand[] }
  | { operator: '$exists'; operand: boolean }
  | { operator: '$size'; operand: readonly SizeLimit[] }
  | { operator: VersionOperator; operand: Version }
  | { operator: DateOperator; operand: DateOperand }
  | { operator: TextOperator; operand: readonly string[] }
  | { operator: '$regex' | '$regexi'; operand: (text: string) => boolean; steps: number }
  | { operator: '$inGroup' | '$notInGroup'; operand: string }
  | { operator: '$elemMatch'; operand: RuleNode }

/** The place of a part in a rules document, from the top: `['rules', '$and', 2, 'country', '$gt']`. */
export type RulePath = readonly (string | number)[]

/** A checked rules document as a tree. ALL without parts is true, ANY without parts is false. */
export type RuleNode =
  | { kind: 'ALL' | 'ANY' | 'NONE'; path: RulePath; parts: readonly RuleNode[] }
  | { kind: 'NOT'; path: RulePath; part: RuleNode }
  | { kind: 'TEST'; path: RulePath; attribute: string; question: RuleQuestion }

export type RuleFaultReason =
  | 'NOT_AN_OBJECT'
  | 'UNKNOWN_OPERATOR'
  | 'MISPLACED_OPERATOR'
  | 'NOT_AN_OPERATOR'
  | 'EMPTY_CONDITION'
  | 'WRONG_OPERAND'
  | 'TOO_DEEP'
  | 'TOO_MANY_NODES'
  | 'TOO_MANY_ITEMS'
  | 'TOO_LARGE'

/** Why a rules document is refused, and where. */
export interface RuleFault {
  reason: RuleFaultReason
  /** `rules.$and[2].country.$gt` */
  path: string
  steps: RulePath
  /** For the author of the document: the path, and what to change. */
  message: string
}

export type ParsedRules = { ok: true; rules: RuleNode } | { ok: false; fault: RuleFault }

/** Attributes that svc computes; they win over custom attributes of the same name. */
export const BUILT_INS = [
  'svc.appUserId',
  'svc.deviceKey',
  'svc.firstSeenAt',
  'svc.lastSeenAt',
  'svc.platform',
  'svc.access',
  'svc.hasActive',
  'svc.store',
  'svc.status',
  'svc.isTrial',
  'svc.trialDaysLeft',
  'svc.daysSinceFirstSeen',
  'svc.lifetimeSpendUsd',
  'svc.country',
  'svc.everPurchased',
  'svc.now',
] as const

export type BuiltIn = (typeof BUILT_INS)[number]

const BUILT_IN_NAMES: ReadonlySet<string> = new Set(BUILT_INS)

export const isBuiltIn = (name: string): name is BuiltIn => BUILT_IN_NAMES.has(name)

/** Built-in names whose text is an ISO time; they can also be compared as instants. */
export type TimeBuiltIn = 'svc.firstSeenAt' | 'svc.lastSeenAt' | 'svc.now'

/** Built-in names whose text is a JSON list. */
export const LIST_BUILT_INS: ReadonlySet<string> = new Set<BuiltIn>(['svc.access', 'svc.everPurchased'])

const FLAG_PREFIX = 'svc.flag.'

/** The key of the flag whose value `svc.flag.<key>` reads; null for another name. */
export const flagKeyOf = (name: string): string | null =>
  name.startsWith(FLAG_PREFIX) ? name.slice(FLAG_PREFIX.length) : null

/** What rules can read of a subscriber. Every value is text, as attributes are; undefined = missing. */
export interface Subject {
  custom(name: string): string | undefined
  builtIn(name: BuiltIn): string | undefined
  /** The time that `builtIn` gives as text, in milliseconds. */
  instant(name: TimeBuiltIn): number | undefined
  /** What a flag of the same environment gives; undefined for one that is off or missing. */
  flag(key: string): string | undefined
  /** Whether the list of ids of an audience has the text. */
  isInGroup(audienceId: string, text: string): boolean
}

/** A compiled question. Running it parses nothing and allocates almost nothing. */
export type RuleTest = (subject: Subject) => boolean

/** A compiled part. `test` of the root decides; the rest serves explanations. */
export type CompiledNode = { path: RulePath; test: RuleTest } & (
  | { kind: 'ALL' | 'ANY' | 'NONE'; parts: readonly CompiledNode[] }
  | { kind: 'NOT'; part: CompiledNode }
  | { kind: 'TEST'; attribute: string; read: (subject: Subject) => string | undefined }
)

/** What a document reads of a subscriber besides custom attributes: built-in values, and flags by their keys. */
export interface RuleReads {
  builtIns: readonly BuiltIn[]
  flags: readonly string[]
}

/** Compiled rules. With a fault they match no person. */
export type CompiledAudience = { matches: RuleTest; reads: RuleReads } & (
  | { fault: null; root: CompiledNode }
  | { fault: RuleFault; root: null }
)

export type MatchReason =
  /** The document has no rule. */
  | { code: 'EVERYONE' }
  /** The document could not be read, so it matches no person. */
  | { code: 'BROKEN'; fault: RuleFault }
  /** One question decided: about this attribute, which had this value (null = missing). */
  | { code: 'ATTRIBUTE'; path: string; attribute: string; value: string | null }
  /** No single part decided: at this place, all parts were true or none was. */
  | { code: 'ALL_HELD' | 'NONE_HELD'; path: string }

export interface MatchResult {
  matches: boolean
  reason: MatchReason
}

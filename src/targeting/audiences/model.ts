/** A scalar that rules compare with. */
export type Operand = string | number | boolean | null

export type OrderOperator = '$gt' | '$gte' | '$lt' | '$lte'

/** One question about one attribute. */
export type RuleQuestion =
  | { operator: '$eq' | '$ne'; operand: Operand }
  | { operator: OrderOperator; operand: string | number }
  | { operator: '$in' | '$nin' | '$all'; operand: readonly Operand[] }
  | { operator: '$exists'; operand: boolean }
  | { operator: '$size'; operand: number }

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
] as const

export type BuiltIn = (typeof BUILT_INS)[number]

const BUILT_IN_NAMES: ReadonlySet<string> = new Set(BUILT_INS)

export const isBuiltIn = (name: string): name is BuiltIn => BUILT_IN_NAMES.has(name)

/** Built-in names whose text is an ISO time; they can also be compared as instants. */
export type TimeBuiltIn = 'svc.firstSeenAt' | 'svc.lastSeenAt'

/** What rules can read of a subscriber. Every value is text, as attributes are; undefined = missing. */
export interface Subject {
  custom(name: string): string | undefined
  builtIn(name: BuiltIn): string | undefined
  /** The time that `builtIn` gives as text, in milliseconds. */
  instant(name: TimeBuiltIn): number | undefined
}

/** A compiled question. Running it parses nothing and allocates almost nothing. */
export type RuleTest = (subject: Subject) => boolean

/** A compiled part. `test` of the root decides; the rest serves explanations. */
export type CompiledNode = { path: RulePath; test: RuleTest } & (
  | { kind: 'ALL' | 'ANY' | 'NONE'; parts: readonly CompiledNode[] }
  | { kind: 'NOT'; part: CompiledNode }
  | { kind: 'TEST'; attribute: string; read: (subject: Subject) => string | undefined }
)

/** Compiled rules. With a fault they match nobody. */
export type CompiledAudience = { matches: RuleTest } & (
  | { fault: null; root: CompiledNode }
  | { fault: RuleFault; root: null }
)

export type MatchReason =
  /** The document has no rule. */
  | { code: 'EVERYONE' }
  /** The document could not be read, so it matches nobody. */
  | { code: 'BROKEN'; fault: RuleFault }
  /** One question decided: about this attribute, which had this value (null = missing). */
  | { code: 'ATTRIBUTE'; path: string; attribute: string; value: string | null }
  /** No single part decided: at this place, all parts were true or none was. */
  | { code: 'ALL_HELD' | 'NONE_HELD'; path: string }

export interface MatchResult {
  matches: boolean
  reason: MatchReason
}

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

/** Where a part of a rules document stands, from the top: `['rules', '$and', 2, 'country', '$gt']`. */
export type RulePath = readonly (string | number)[]

/** A checked rules document as a tree. ALL of nothing holds, ANY of nothing does not. */
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
  /** For whoever wrote the document: the path, and what to change. */
  message: string
}

export type ParsedRules = { ok: true; rules: RuleNode } | { ok: false; fault: RuleFault }

/** Attributes that we compute; they win over custom ones of the same name. */
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

/** Built-in names whose text is an ISO time; they also compare by instant. */
export type TimeBuiltIn = 'svc.firstSeenAt' | 'svc.lastSeenAt'

/** What rules see of somebody. Everything is text, as attributes are; undefined is missing. */
export interface Subject {
  custom(name: string): string | undefined
  builtIn(name: BuiltIn): string | undefined
  /** The same time as `builtIn` has, in milliseconds. */
  instant(name: TimeBuiltIn): number | undefined
}

/** A question ready to be asked: nothing is interpreted, and hardly anything allocated, when it runs. */
export type RuleTest = (subject: Subject) => boolean

/** A compiled part; `test` of the root decides, the rest is there to explain. */
export type CompiledNode = { path: RulePath; test: RuleTest } & (
  | { kind: 'ALL' | 'ANY' | 'NONE'; parts: readonly CompiledNode[] }
  | { kind: 'NOT'; part: CompiledNode }
  | { kind: 'TEST'; attribute: string; read: (subject: Subject) => string | undefined }
)

/** Rules ready to be matched. With a fault it matches nobody. */
export type CompiledAudience = { matches: RuleTest } & (
  | { fault: null; root: CompiledNode }
  | { fault: RuleFault; root: null }
)

export type MatchReason =
  /** The document has no rule. */
  | { code: 'EVERYONE' }
  /** The document could not be read, so it matches nobody. */
  | { code: 'BROKEN'; fault: RuleFault }
  /** One question decided: of this attribute, with this value (null = missing). */
  | { code: 'ATTRIBUTE'; path: string; attribute: string; value: string | null }
  /** No single part decided: all of the parts at this place held, or none did. */
  | { code: 'ALL_HELD' | 'NONE_HELD'; path: string }

export interface MatchResult {
  matches: boolean
  reason: MatchReason
}

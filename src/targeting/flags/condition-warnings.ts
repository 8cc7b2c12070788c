import { type RuleWarning, rulesWarnings } from '../audiences/check'

/** The warnings about the conditions of the rules of a flag. */
export const conditionWarnings = (rules: readonly ({ conditions?: unknown } | null)[]): RuleWarning[] =>
  rules.flatMap((rule, index) => rulesWarnings(rule?.conditions ?? null, `rules[${index}].conditions`))

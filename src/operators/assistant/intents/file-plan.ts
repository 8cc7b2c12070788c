import { isObject } from '../../../base/lib/json-schema'
import { type Right, rightToChange } from '../../../core/roles/file-rights'
import { hasCapability, hasRole, ROLES } from '../../../core/roles/roles'
import type { IntentPreview } from '../tables'

/** What applying a patch of the project file answers, as far as it is used here. */
interface FilePlan {
  /** What `svc apply` prints. */
  lines: string[]
  changes: { op: string; kind: string; ref: string }[]
  warnings?: { kind: string; ref: string; message: string }[]
  /** Secrets that were made. They must not be kept. */
  secrets?: { kind: string; ref: string }[]
}

const MOST_LINES = 500

const isPlan = (answer: unknown): answer is FilePlan =>
  isObject(answer) && Array.isArray(answer.lines) && Array.isArray(answer.changes)

/** The plan that a route has answered. */
export function planIn(answer: unknown): FilePlan {
  if (!isPlan(answer)) throw new Error('the plan of a project file has another form')
  return answer
}

/** The preview with the lines and the warnings of the plan. */
export function withPlan(preview: IntentPreview, { lines, warnings = [], secrets = [] }: FilePlan): IntentPreview {
  const more = lines.length - MOST_LINES
  const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `and ${more} more lines`] : lines
  const found = warnings.map(({ kind, ref, message }) => `${kind} ${ref}: ${message}`)
  const made = secrets.map(
    ({ kind, ref }) => `The secret that is made for the ${kind} ${ref} is not shown; rotate it to get one`,
  )
  return { ...preview, lines: shown, warnings: [...preview.warnings, ...found, ...made] }
}

/** The objects that change, by kind and name. */
export const namesIn = (plan: FilePlan): string[] => changedIn(plan).map(({ kind, ref }) => `${kind} ${ref}`)

/** A secret that stays is listed too. */
const changedIn = ({ changes }: FilePlan) => changes.filter(({ op }) => op !== 'keep-secret')

/** The answer as it may be kept. */
export const withoutSecrets = ({ secrets: _secrets, ...plan }: FilePlan): object => plan

/** The capability, or the role, that may make all changes of a plan. */
export function approverOf(plan: FilePlan): string | null {
  const rights = [...new Set(changedIn(plan).map(({ kind }) => kind))].map(rightToChange)
  const names = new Set(rights.map((right) => ('role' in right ? right.role : right.capability)))
  const [only] = names
  if (only === undefined || names.size === 1) return only ?? null
  return ROLES.find((role) => rights.every((right) => mayUse(role, right))) ?? 'OWNER'
}

const mayUse = (role: (typeof ROLES)[number], right: Right): boolean =>
  'role' in right ? hasRole(role, right.role) : hasCapability(role, right.capability)

import { formatRulePath } from './faults'
import { readInstant } from './instants'
import { flagKeyOf, isBuiltIn, LIST_BUILT_INS, type RulePath } from './model'
import { parseRules } from './rules'
import { itemsOf } from './values'
import { readVersion } from './versions'
import { type AskedQuestion, questionsIn } from './walk'

/** Something that may be meant differently than it is evaluated. It may be saved. */
export interface RuleHint {
  /**
   * `NAME`: an attribute that is called like a built-in name and is none, which is most likely a misspelling.
   * `LIST`: before lists were compared by their items, the same question was about the whole text of the list.
   * `LIST_TEXT`: the operand is such a text, which no item equals.
   */
  reason: 'NAME' | 'VERSION' | 'TIME' | 'LIST' | 'LIST_TEXT'
  steps: RulePath
  /** `rules.appVersion.$gte` */
  path: string
  /** The end of a sentence that starts with the path. */
  message: string
}

/** What in a document is probably meant differently; nothing for a document with a fault. */
export function hintsOf(document: unknown): RuleHint[] {
  const parsed = parseRules(document)
  return parsed.ok ? questionsIn(parsed.rules).flatMap(hintOf) : []
}

function hintOf({ attribute, path: steps, question }: AskedQuestion): RuleHint[] {
  const found = nameHint(attribute) ?? orderHint(attribute, question) ?? listHint(attribute, question)
  return found ? [{ ...found, steps, path: formatRulePath(steps) }] : []
}

type Found = Pick<RuleHint, 'reason' | 'message'> | null

function nameHint(attribute: string): Found {
  if (!attribute.startsWith('svc.') || isBuiltIn(attribute) || flagKeyOf(attribute)) return null
  return {
    reason: 'NAME',
    message: `reads ${attribute}, which is no built-in name; /docs/guide/reference/rules lists them`,
  }
}

const TIMES = new Set(['svc.firstSeenAt', 'svc.lastSeenAt', 'svc.now'])

function orderHint(attribute: string, { operator, operand }: AskedQuestion['question']): Found {
  if (operator !== '$gt' && operator !== '$gte' && operator !== '$lt' && operator !== '$lte') return null
  const text = String(operand)
  if (readInstant(text) !== null)
    return TIMES.has(attribute)
      ? null
      : { reason: 'TIME', message: `compares ${text} as a text; for times use $d${operator.slice(1)}` }
  if (!isVersionLike(attribute, text)) return null
  return {
    reason: 'VERSION',
    message: `compares ${text} as a number or a text; for versions use $v${operator.slice(1)}`,
  }
}

/** Three parts are no number; two are one, unless the attribute is called a version. */
function isVersionLike(attribute: string, text: string): boolean {
  if (readVersion(text) === null) return false
  return /^[vV]|\..*\.|-/.test(text) || (text.includes('.') && /version/i.test(attribute))
}

const EQUALITIES: readonly string[] = ['$eq', '$ne', '$in', '$nin']

function listHint(attribute: string, { operator, operand }: AskedQuestion['question']): Found {
  if (!EQUALITIES.includes(operator)) return null
  const isList = LIST_BUILT_INS.has(attribute)
  if (!isList && ![operand].flat().some((one) => typeof one === 'string' && itemsOf(one) !== null)) return null
  return {
    reason: isList ? 'LIST' : 'LIST_TEXT',
    message: isList
      ? 'now compares with the items of the list; it compared with the whole text of the list before'
      : 'names the whole text of a list, and now only items of a list are compared; name an item, or use $all',
  }
}

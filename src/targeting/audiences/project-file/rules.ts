import type { RuleFault } from '../../../core/rules/model'
import { parseRules } from '../../../core/rules/rules'
import { groupsNamedIn } from '../../../core/rules/walk'
import { drawnAs, type Read, toJson } from '../../../projects/project-file/reader'
import { AUDIENCES } from './model'
import { RULES_SCHEMA } from './rules-schema'

const read: Read<Record<string, unknown>> = (spot) => {
  const document = toJson(spot.node)
  const parsed = parseRules(document)
  if (parsed.ok) {
    for (const { name } of groupsNamedIn(parsed.rules))
      spot.refer(AUDIENCES, name, { code: 'VALIDATION_ERROR', details: () => null })
    return document as Record<string, unknown> // The parser accepts only objects.
  }
  spot.failAt(parsed.fault.steps.slice(1), adviceOf(parsed.fault))
}

const adviceOf = ({ path, message }: RuleFault): string => `This ${message.slice(path.length + 2)}`

/** Reads a rules document (wire 5.3). A problem is recorded at the place of the wrong value. */
export const rules: Read<Record<string, unknown>> = drawnAs(RULES_SCHEMA, read)

/** The audiences whose lists of ids a saved document names. */
export function groupsIn(document: unknown): string[] {
  const parsed = parseRules(document ?? null)
  return parsed.ok ? groupsNamedIn(parsed.rules).map(({ name }) => name) : []
}

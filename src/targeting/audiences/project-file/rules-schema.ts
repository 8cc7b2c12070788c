import { OPERATORS } from '../../../core/rules/operands'
import type { Schema } from '../../../projects/project-file/sketch'

/** Where the definitions below stand in the schema of the file. */
const RULES = '#/$defs/rules'
const CONDITION = '#/$defs/ruleCondition'

const SCALAR = { type: ['string', 'number', 'boolean', 'null'] }
const parts = { type: 'array', items: { $ref: RULES } }

/** A rules document: attributes with their conditions, and lists of documents. */
const document: Schema = {
  type: 'object',
  properties: { $and: parts, $or: parts, $nor: parts, $not: { $ref: RULES } },
  patternProperties: { '^\\$(?!(and|or|nor|not)$)': false },
  additionalProperties: { $ref: CONDITION },
}

/** What an attribute must be: a value that it equals, or operators that must all hold. */
const condition: Schema = {
  anyOf: [
    SCALAR,
    {
      type: 'object',
      properties: {
        ...Object.fromEntries([...OPERATORS.keys()].map((operator) => [operator, {}])),
        $elemMatch: { $ref: CONDITION },
        $not: { $ref: CONDITION },
      },
      minProperties: 1,
      additionalProperties: false,
    },
  ],
}

/** The schema of rules, with the definitions that it refers to. They move to the root of the schema of the file. */
export const RULES_SCHEMA: Schema = { $ref: RULES, $defs: { rules: document, ruleCondition: condition } }

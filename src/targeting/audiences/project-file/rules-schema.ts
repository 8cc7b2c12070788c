import { OPERANDS, OPERATORS, type OperandKind } from '../../../core/rules/operands'
import type { Schema } from '../../../projects/project-file/reader'

/** The places of the definitions below in the schema of the file. */
const RULES = '#/$defs/rules'
const CONDITION = '#/$defs/ruleCondition'

const SCALAR = { type: ['string', 'number', 'boolean', 'null'] }
const COUNT = { type: 'integer', minimum: 0 }
const MOVING = ['$ago', '$ahead'].map((name) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
  additionalProperties: false,
}))

/** What each kind of operand can be. The readers of the rules check what a schema cannot say. */
const OPERAND: Readonly<Record<OperandKind, Schema>> = {
  ANY: {},
  SCALAR,
  ORDERED: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  SCALARS: { type: 'array', items: SCALAR },
  FLAG: { type: 'boolean' },
  SIZE: {
    anyOf: [
      COUNT,
      {
        type: 'object',
        properties: Object.fromEntries(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'].map((name) => [name, COUNT])),
        minProperties: 1,
        additionalProperties: false,
      },
    ],
  },
  VERSION: { type: 'string' },
  DATE: { anyOf: [{ type: 'string' }, ...MOVING] },
  TEXTS: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  TEXT: { type: 'string' },
}

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
        ...Object.fromEntries(
          [...OPERATORS.keys()].map((operator) => [operator, OPERAND[OPERANDS.get(operator) ?? 'ANY']]),
        ),
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

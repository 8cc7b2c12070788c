import { IDENTIFIER } from '../../../projects/project-file/fields'
import type { Schema } from '../../../projects/project-file/sketch'
import { FIELD_KINDS, OPERATORS, PAGE_TYPES } from '../model'

const id = { type: 'string', pattern: IDENTIFIER.source }
const localText = { type: 'object', additionalProperties: { type: 'string' }, description: 'A text by locale' }

const strict = (properties: Schema, required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const option = strict({ id, label: localText }, ['id'])

const field = strict(
  {
    id,
    kind: { enum: FIELD_KINDS },
    required: { type: 'boolean' },
    options: { type: ['array', 'null'], items: option },
    min: { type: ['number', 'string', 'null'] },
    max: { type: ['number', 'string', 'null'] },
  },
  ['id', 'kind'],
)

const condition = strict({ field: id, op: { enum: OPERATORS }, value: {} }, ['field', 'op'])

const rule = strict({ match: { enum: ['all', 'any'] }, when: { type: 'array', items: condition }, to: id }, [
  'match',
  'to',
])

const next = strict({ rules: { type: ['array', 'null'], items: rule }, default: { anyOf: [id, { type: 'null' }] } }, [])

/** The pages of a funnel, as `readPages` reads them. */
export const PAGES_SCHEMA: Schema = {
  type: 'array',
  maxItems: 100,
  items: strict(
    {
      id,
      type: { enum: PAGE_TYPES },
      title: localText,
      fields: { type: ['array', 'null'], items: field },
      next: { anyOf: [next, { type: 'null' }] },
    },
    ['id', 'type'],
  ),
}

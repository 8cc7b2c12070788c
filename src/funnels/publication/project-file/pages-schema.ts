import {
  BLOCK_TYPES,
  FIELD_KINDS,
  FIELD_PATTERNS,
  OPERATORS,
  PAGE_TYPES,
  THEME_COLORS,
} from '../../../core/funnel/model'
import { IDENTIFIER } from '../../../projects/project-file/fields'
import type { Schema } from '../../../projects/project-file/reader'

const id = { type: 'string', pattern: IDENTIFIER.source }
const localText = { type: 'object', additionalProperties: { type: 'string' }, description: 'A text by locale' }

const strict = (properties: Schema, required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const asset = strict({ asset: { type: 'string' }, alt: localText }, ['asset'])
const boolean = { type: 'boolean' }

const option = strict({ id, label: localText, image: asset, value: { type: 'number' } }, ['id'])

const field = strict(
  {
    id,
    kind: { enum: FIELD_KINDS },
    required: { type: 'boolean' },
    options: { type: ['array', 'null'], items: option },
    min: { type: ['number', 'string', 'null'] },
    max: { type: ['number', 'string', 'null'] },
    attribute: { type: 'string', description: 'The attribute that the answer becomes when the funnel is claimed' },
    label: localText,
    placeholder: localText,
    pattern: { enum: FIELD_PATTERNS },
    sensitive: { type: 'boolean', description: 'The answer is encrypted and left out of webhooks, SQL and exports' },
  },
  ['id', 'kind'],
)

const condition = strict({ field: id, op: { enum: OPERATORS }, value: {} }, ['field', 'op'])

const rule = strict({ match: { enum: ['all', 'any'] }, when: { type: 'array', items: condition }, to: id }, [
  'match',
  'to',
])

const next = strict({ rules: { type: ['array', 'null'], items: rule }, default: { anyOf: [id, { type: 'null' }] } }, [])

const visibleWhen = strict({ match: { enum: ['all', 'any'] }, when: { type: 'array', items: condition } }, [
  'match',
  'when',
])

const style = strict(
  {
    align: { enum: ['start', 'center', 'end'] },
    size: { enum: ['small', 'medium', 'large'] },
    tone: { enum: ['normal', 'muted', 'accent', 'danger', 'success'] },
    space: { type: 'integer', minimum: 0, maximum: 96 },
  },
  [],
)

const block = strict({ id, type: { enum: BLOCK_TYPES }, props: { type: 'object' }, visibleWhen, style }, ['id', 'type'])

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
      blocks: { type: ['array', 'null'], items: block, maxItems: 60 },
      next: { anyOf: [next, { type: 'null' }] },
    },
    ['id', 'type'],
  ),
}

const color = { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }
const colors = strict(Object.fromEntries(THEME_COLORS.map((name) => [name, color])), [])
const family = { type: 'string', description: 'The id of a font family, or system' }

/** As `readTheme` reads it. */
export const THEME_SCHEMA: Schema = strict(
  {
    colors,
    dark: { ...colors, description: 'For visitors who prefer a dark page; absent = always light' },
    radius: { type: 'integer', minimum: 0, maximum: 32 },
    fonts: strict({ heading: family, body: family }, []),
    density: { enum: ['compact', 'normal', 'spacious'] },
    logo: asset,
    accent: { ...color, description: 'The same as colors.accent' },
  },
  [],
)

const success = strict({ mode: { enum: ['claim', 'redirect'] }, url: { type: 'string' } }, ['mode'])

/** As `readSettings` reads it. */
export const SETTINGS_SCHEMA: Schema = strict(
  {
    offering: { ...id, description: 'The offering that is sold' },
    progress: boolean,
    back: boolean,
    locales: { type: 'boolean', description: 'Whether the language follows the browser; true unless given' },
    queryParameters: { type: 'array', items: { type: 'string' }, maxItems: 20 },
    success,
    requireTermsConsent: boolean,
    emailBeforePayment: boolean,
    requireConsent: { type: 'boolean', description: 'Whether a visitor is remembered only after consent' },
    supportEmail: { type: 'string' },
    deferredMatch: { type: 'boolean', description: 'Whether an iPhone may claim by its address and language' },
  },
  [],
)

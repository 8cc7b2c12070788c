import fc from 'fast-check'
import type { Operator } from '../../src/core/funnel/model'

/** Funnels that go only forward, with ways of visitors through them. Everything is drawn as small numbers, so that a failing case shrinks. */

export type Kind = 'single' | 'multi' | 'text' | 'number' | 'date' | 'consent'
/** Days have the most operators of their own. */
const KINDS: readonly Kind[] = [
  'single',
  'multi',
  'text',
  'text',
  'number',
  'number',
  'consent',
  'date',
  'date',
  'date',
]
const DAY_MS = 86_400_000

export interface Field {
  id: string
  kind: Kind
}

export interface Condition {
  field: string
  op: Operator
  value?: unknown
}

export interface Rule {
  match: 'all' | 'any'
  when: Condition[]
  to: string
}

export interface Page {
  id: string
  fields: Field[]
  rules: Rule[]
  default: string | null
}

/** A step of a visitor: back, or answers by field and then on. Null withdraws an answer, and a missing field keeps it. */
export type Move = { isBack: true } | { isBack: false; picks: readonly number[] }

export interface Journey {
  pages: Page[]
  moves: Move[]
}

const CHOICES = ['a', 'b', 'c']
/** What choosing an option adds to the score. */
export const OPTION_VALUES: Readonly<Record<string, number>> = { a: 1, b: 2, c: 5 }
const TEXTS = ['Sleep well', 'sleep', '1', 'Ünal']
const NUMBERS = [-1.5, 0, 2, 2.5, 7]
const AGES = [0, 1, 5, 30, 3, -2]

const small = fc.noBias(fc.nat({ max: 999 }))
const drawnCondition = fc.record({ field: small, op: small, one: small, two: small, isAlien: fc.nat({ max: 9 }) })
const drawnRule = fc.record({
  isAll: fc.boolean(),
  when: fc.array(drawnCondition, { minLength: 1, maxLength: 4 }),
  to: small,
})
const drawnPage = fc.record({
  kinds: fc.array(fc.nat({ max: KINDS.length - 1 }), { minLength: 1, maxLength: 2 }),
  rules: fc.array(drawnRule, { maxLength: 4 }),
  default: small,
})
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Move>({ isBack: true }) },
  {
    weight: 4,
    arbitrary: fc.record({
      isBack: fc.constant(false as const),
      picks: fc.array(small, { minLength: 2, maxLength: 2 }),
    }),
  },
)

/** `today`: the day on which the visitors come, as `2026-11-20`. */
export const journeys = (today: string): fc.Arbitrary<Journey> =>
  fc
    .record({
      pages: fc.array(drawnPage, { minLength: 3, maxLength: 6 }),
      moves: fc.array(move, { minLength: 3, maxLength: 14 }),
    })
    .map(({ pages, moves }) => ({ pages: toPages(pages, today), moves }))

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

type DrawnPage = typeof drawnPage extends fc.Arbitrary<infer Value> ? Value : never
type DrawnCondition = typeof drawnCondition extends fc.Arbitrary<infer Value> ? Value : never

function toPages(drawn: readonly DrawnPage[], today: string): Page[] {
  const ids = drawn.map((_, index) => `p${index}`)
  const fields = drawn.map(({ kinds }, page) =>
    kinds.map((kind, index): Field => ({ id: `f${page}_${index}`, kind: pick(KINDS, kind) })),
  )
  return drawn.map((page, index) => {
    const exits = ids.slice(index + 1)
    // Mostly fields of the pages before, which are answered; two of the others have no answer that counts.
    const known: Field[] = [...fields.slice(0, index + 1).flat(), { id: 'score', kind: 'number' }]
    const all = [
      ...known,
      ...known,
      ...fields
        .slice(index + 1)
        .flat()
        .slice(0, 2),
    ]
    const rules = exits.length === 0 ? [] : page.rules
    return {
      id: ids[index] ?? '',
      fields: fields[index] ?? [],
      rules: rules.map(({ isAll, when, to }) => ({
        match: isAll ? ('all' as const) : ('any' as const),
        when: when.map((one) => toCondition(one, all, today)),
        to: pick(exits, to),
      })),
      default: pick([...exits, ...exits, null], page.default),
    }
  })
}

const OPS: readonly Operator[] = [
  ...(['eq', 'ne', 'in', 'not_in', 'contains', 'gt', 'gte', 'lt', 'lte', 'between'] as const),
  ...(['before', 'after', 'older_than_days', 'within_days', 'is_answered', 'is_empty'] as const),
]

const ANY: readonly Operator[] = ['eq', 'ne', 'in', 'not_in', 'is_answered', 'is_empty']
const ORDER: readonly Operator[] = ['gt', 'gte', 'lt', 'lte', 'between']
const DAYS: readonly Operator[] = ['before', 'after', 'older_than_days', 'within_days', 'within_days']

const OPS_OF: Readonly<Record<Kind, readonly Operator[]>> = {
  single: [...ANY, 'contains'],
  multi: [...ANY, 'contains'],
  text: [...ANY, 'contains'],
  number: [...ANY, ...ORDER],
  date: [...DAYS, ...ORDER, ...ANY],
  consent: ANY,
}

/** One condition in ten has any operator, with an operand of any kind. */
function toCondition(drawn: DrawnCondition, fields: readonly Field[], today: string): Condition {
  const field = pick(fields, drawn.field)
  const kind = drawn.isAlien === 0 ? pick(KINDS, drawn.two) : field.kind
  const op = pick(drawn.isAlien === 0 ? OPS : OPS_OF[kind], drawn.op)
  const named = { field: field.id, op }
  const [one, two] = [operand(kind, drawn.one, today), operand(kind, drawn.two, today)]
  const numbers = [pick(NUMBERS, drawn.one), pick(NUMBERS, drawn.two)].sort((a, b) => a - b)
  const ordered = kind === 'date' ? [one, two].sort() : numbers
  switch (op) {
    case 'is_answered':
    case 'is_empty':
      return named
    case 'in':
    case 'not_in':
      return { ...named, value: [one, two] }
    case 'between':
      return { ...named, value: ordered }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { ...named, value: ordered[0] }
    case 'before':
    case 'after':
      return { ...named, value: dayOf(pick(AGES, drawn.one), today) }
    case 'older_than_days':
    case 'within_days':
      return { ...named, value: pick([0, 1, 5], drawn.one) }
    default:
      return {
        ...named,
        value: op === 'contains' && kind === 'text' ? pick(['leep', 'SLEEP', 'S', '1', ''], drawn.one) : one,
      }
  }
}

function operand(kind: Kind, index: number, today: string): unknown {
  if (kind === 'single' || kind === 'multi') return pick(CHOICES, index)
  if (kind === 'text') return pick(TEXTS, index)
  if (kind === 'number') return pick(NUMBERS, index)
  return kind === 'date' ? dayOf(pick(AGES, index), today) : index % 2 === 0
}

const dayOf = (age: number, today: string): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - age * DAY_MS).toISOString().slice(0, 10)

/** What a visitor answers to a field; undefined = nothing is sent, null = the answer is withdrawn. */
export function answerOf({ kind }: Field, index: number, today: string): unknown {
  if (index % 7 === 0) return undefined
  if (index % 7 === 1) return kind === 'multi' ? [] : null
  if (kind !== 'multi') return operand(kind, index, today)
  return CHOICES.filter((_, bit) => (index >> bit) % 2 === 1)
}

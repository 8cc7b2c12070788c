import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { NO_FILES } from './files'
import type { FunnelContent } from './model'
import { readPages } from './pages'
import { publishFaults } from './publish'

const SEED = 20261120
const next = (to: string | null, rules: unknown[] = []) => ({ rules, default: to })
const info = (id: string, to: string | null = null) => ({ id, type: 'info', title: { en: id }, next: next(to) })
const GOAL = {
  id: 'goal',
  kind: 'single',
  required: true,
  options: [{ id: 'sleep', label: { en: 'Sleep' } }],
}
const question = (id: string, to: string | null, when: unknown[] = [{ field: id, op: 'is_answered' }]) => ({
  id,
  type: 'question',
  title: { en: id },
  fields: [{ ...GOAL, id }],
  next: next(to, to === null ? [] : [{ match: 'all', when, to }]),
})
const withField = (field: object) => [{ ...info('a'), fields: [{ id: 'f', ...field }] }]
const withValue = (op: string, value?: unknown) => [
  question('a', 'a', [{ field: 'a', op, ...(value !== undefined && { value }) }]),
]
const places = (pages: unknown) => readPages(pages).faults.map(({ path }) => path)

describe('pages that may be saved', () => {
  const taken: [what: string, pages: unknown][] = [
    ['none', undefined],
    ['an empty list', []],
    ['a page with nothing but id and type', [{ id: 'a', type: 'loader' }]],
    ['100 pages', Array.from({ length: 100 }, (_, index) => info(`p${index}`))],
    ['one that leads nowhere yet', [info('a', 'later')]],
    ['a number with its range', withField({ kind: 'number', min: -1.5, max: 3 })],
    ['a date with its range', withField({ kind: 'date', min: '1900-01-01', max: '2026-02-28' })],
    ['a consent', withField({ kind: 'consent', required: true })],
    ...(
      [
        ['eq', 'sleep'],
        ['ne', false],
        ['in', ['a', 2]],
        ['not_in', ['a']],
        ['contains', 'x'],
        ['gt', 1],
        ['lte', '2026-01-01'],
        ['between', [1, 2]],
        ['before', '2026-01-01'],
        ['older_than_days', 365],
        ['within_days', 0],
        ['is_answered', null],
        ['is_empty', undefined],
      ] as const
    ).map(([op, value]): [string, unknown] => [`operator ${op}`, withValue(op, value)]),
  ]
  for (const [what, pages] of taken) test(what, () => expect(readPages(pages).faults).toEqual([]))

  test('members that were left out are filled in, so that the same page is kept alike', () => {
    const { pages } = readPages([{ id: 'a', type: 'question', fields: [{ id: 'f', kind: 'text' }] }])
    const field = { id: 'f', kind: 'text', required: false, options: [], min: null, max: null }
    expect(pages).toEqual([
      { id: 'a', type: 'question', title: {}, fields: [field], next: { rules: [], default: null } } as never,
    ])
    expect(readPages(pages)).toEqual({ pages, faults: [] })
  })
})

describe('refused, with the place', () => {
  const refused: [what: string, pages: unknown, places: string[]][] = [
    ['pages that are no list', {}, ['pages']],
    ['101 pages', Array(101).fill(info('a')), ['pages']],
    ['a page that is null', [null], ['pages[0]', 'pages[0].id', 'pages[0].type']],
    ['an unknown member', [{ ...info('a'), titel: {} }], ['pages[0].titel']],
    ['an unknown page type', [{ ...info('a'), type: 'video' }], ['pages[0].type']],
    ['an id with a space', [info('a b')], ['pages[0].id']],
    ['an id twice', [info('a'), info('a')], ['pages[1].id']],
    ['a title that is a text', [{ ...info('a'), title: 'Hello' }], ['pages[0].title']],
    ['a title in no language', [{ ...info('a'), title: { en_US: 'Hello' } }], ['pages[0].title.en_US']],
    ['a blank title', [{ ...info('a'), title: { en: ' ' } }], ['pages[0].title.en']],
    ['a text with NUL', [{ ...info('a'), title: { en: 'a\0' } }], ['pages[0].title.en']],
    ['an unknown field kind', withField({ kind: 'colour' }), ['pages[0].fields[0].kind']],
    [
      'a field id on two pages',
      [question('a', null), { ...info('b'), fields: [{ ...GOAL, id: 'a' }] }],
      ['pages[1].fields[0].id'],
    ],
    ['required that is a text', withField({ kind: 'text', required: 'yes' }), ['pages[0].fields[0].required']],
    ['a choice without options', withField({ kind: 'single' }), ['pages[0].fields[0].options']],
    ['options of a text', withField({ kind: 'text', options: GOAL.options }), ['pages[0].fields[0].options']],
    [
      'an option twice',
      withField({ kind: 'multi', options: [...GOAL.options, ...GOAL.options] }),
      ['pages[0].fields[0].options[1].id'],
    ],
    ['a range of a consent', withField({ kind: 'consent', min: 1 }), ['pages[0].fields[0].min']],
    ['a date that there is not', withField({ kind: 'date', max: '2026-02-30' }), ['pages[0].fields[0].max']],
    ['a length below 0', withField({ kind: 'text', min: -1 }), ['pages[0].fields[0].min']],
    ['a range the wrong way round', withField({ kind: 'number', min: 2, max: 1 }), ['pages[0].fields[0].max']],
    ['an unknown operator', withValue('like', 'x'), ['pages[0].next.rules[0].when[0].op']],
    ['a rule without a condition', [question('a', 'a', [])], ['pages[0].next.rules[0].when']],
    [
      'a rule for no field',
      [question('a', 'a', [{ field: 'b', op: 'is_empty' }])],
      ['pages[0].next.rules[0].when[0].field'],
    ],
    [
      'a match that is neither',
      [{ ...info('a'), next: { rules: [{ match: 'some', when: [], to: 'a' }] } }],
      ['pages[0].next.rules[0].match', 'pages[0].next.rules[0].when'],
    ],
    ...(
      [
        ['eq', [1]],
        ['eq', undefined],
        ['in', 'a'],
        ['in', []],
        ['not_in', [{}]],
        ['gt', 'a'],
        ['between', [1]],
        ['before', 1],
        ['after', '2026-13-01'],
        ['older_than_days', -1],
        ['within_days', '3'],
        ['is_answered', true],
      ] as const
    ).map(([op, value]): [string, unknown, string[]] => [
      `operator ${op} with ${JSON.stringify(value)}`,
      withValue(op, value),
      ['pages[0].next.rules[0].when[0].value'],
    ]),
  ]
  for (const [what, pages, expected] of refused) test(what, () => expect(places(pages)).toEqual(expected))

  test('nothing that is sent makes the reader throw', () => {
    const members = fc.constantFrom(
      'id',
      'type',
      'title',
      'fields',
      'next',
      'rules',
      'when',
      'kind',
      'options',
      'blocks',
      'props',
      'children',
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, fc.anything(), fc.array(tie('tree')), fc.dictionary(members, tie('tree'))),
    }))
    fc.assert(
      fc.property(tree, (given) => void readPages(given)),
      { seed: SEED, numRuns: 100 },
    )
  })
})

describe('publishing', () => {
  const content = (given: unknown[], change: Partial<FunnelContent> = {}): FunnelContent => {
    const { pages, faults } = readPages(given)
    if (faults.length > 0) throw new Error(JSON.stringify(faults))
    return { pages, theme: {}, settings: {}, defaultLocale: 'en', locales: ['en'], ...change }
  }
  const told = (found: FunnelContent, hasAccount = true) =>
    publishFaults(found, hasAccount, NO_FILES).map(({ path }) => path)
  const pay = { id: 'pay', type: 'payment', title: { en: 'Plan' }, next: next(null) }

  const published: [what: string, content: FunnelContent][] = [
    ['one page', content([info('a')])],
    ['a way round that asks something', content([question('a', 'b'), info('b', 'a')])],
    ['a page that asks for an address', content([{ id: 'a', type: 'email', next: next('b') }, info('b', 'a')])],
    ['two ways to one page', content([question('a', 'c'), info('b', 'c'), info('c')])],
    ['a page without any text', content([{ id: 'a', type: 'loader' }])],
    ['a payment page with an account', content([pay])],
  ]
  for (const [what, found] of published) test(what, () => expect(told(found)).toEqual([]))

  const kept: [what: string, content: FunnelContent, places: string[]][] = [
    ['nothing at all', content([]), ['pages']],
    ['a way to a page that there is not', content([info('a', 'b')]), ['pages[0].next.default']],
    [
      'a rule to a page that there is not',
      content([question('a', 'b')]),
      ['pages[0].next.rules[0].to', 'pages[0].next.default'],
    ],
    ['a page that leads to itself', content([info('a', 'a')]), ['pages[0].next.default']],
    [
      'a way round that asks nothing',
      content([question('q', 'a'), info('a', 'b'), info('b', 'c'), info('c', 'a')]),
      ['pages[3].next.default'],
    ],
    [
      'a way round through payment',
      content([{ ...pay, next: next('a') }, info('a', 'pay')]),
      ['pages[1].next.default'],
    ],
    ['locales without the default', content([info('a')], { locales: ['tr'] }), ['locales']],
    ['a title that lacks the default', content([{ ...info('a'), title: { tr: 'A' } }]), ['pages[0].title']],
    [
      'an option that lacks the default',
      content([{ ...question('a', null), fields: [{ ...GOAL, options: [{ id: 'x', label: { tr: 'X' } }] }] }]),
      ['pages[0].fields[0].options[0].label'],
    ],
    ['more than 512 KiB', content([info('a')], { theme: { accent: 'x'.repeat(512 * 1024) } }), ['pages']],
  ]
  for (const [what, found, expected] of kept) test(`${what} is refused`, () => expect(told(found)).toEqual(expected))

  test('a payment page without an account is another refusal', () => {
    const [fault, ...more] = publishFaults(content([info('a', 'pay'), pay]), false, NO_FILES)
    expect([fault?.path, fault?.code, more]).toEqual(['pages[1].type', 'PAYMENT_NOT_CONNECTED', []])
  })
})

import { describe, expect, test } from 'bun:test'
import {
  duplicateBlock,
  indentBlock,
  insertBlock,
  moveBlock,
  newBlock,
  outdentBlock,
  placesOf,
  removeBlock,
} from '../../src/console/screens/growth/funnels/blocks'
import { countedWays, lineWidth } from '../../src/console/screens/growth/funnels/flow/people'
import { EMPTY_HISTORY, MOST_STEPS, noted, stepped } from '../../src/console/screens/growth/funnels/history'
import { layoutOf } from '../../src/console/screens/growth/funnels/layout'
import type { FunnelState } from '../../src/console/screens/growth/funnels/model'
import {
  addField,
  addPage,
  movePage,
  newField,
  ownBlocks,
  pagesLeadingTo,
  removeField,
  removePage,
  withField,
  withText,
} from '../../src/console/screens/growth/funnels/pages'
import { placed, problemsOf } from '../../src/console/screens/growth/funnels/problems'
import { variantsBeside } from '../../src/console/screens/growth/funnels/variants'
import { NO_FILES } from '../../src/core/funnel/files'
import type { BlockType, FunnelBlock, FunnelPage } from '../../src/core/funnel/model'
import { readPages } from '../../src/core/funnel/pages'
import { TEMPLATES } from '../../src/core/funnel/templates/list'
import { QUIZ } from '../../src/core/funnel/templates/selling'

/** The same numbers from 0 to 1 in each run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const block = (id: string): FunnelBlock => ({ id, type: 'divider', props: {} })
const card = (id: string, ...children: FunnelBlock[]): FunnelBlock => ({ id, type: 'card', props: { children } })
const shape = (blocks: readonly FunnelBlock[]): unknown[] =>
  blocks.map((one) => (one.type === 'card' ? [one.id, shape(one.props.children)] : one.id))

const BLOCKS = [block('a'), card('b', block('c'), block('d')), block('e')]

const STATE: FunnelState = {
  slug: 'quiz',
  name: 'Quiz',
  pages: QUIZ,
  theme: {},
  settings: {},
  defaultLocale: 'en',
  locales: ['en', 'de', 'tr', 'ja'],
}

describe('the blocks of a page', () => {
  test('are moved among their siblings, and not beyond them', () => {
    expect(shape(moveBlock(BLOCKS, 'e', -1))).toEqual(['a', 'e', ['b', ['c', 'd']]])
    expect(shape(moveBlock(BLOCKS, 'd', -1))).toEqual(['a', ['b', ['d', 'c']], 'e'])
    for (const [id, step] of [
      ['a', -1],
      ['e', 1],
      ['d', 1],
      ['nothing', 1],
    ] as const)
      expect(moveBlock(BLOCKS, id, step)).toBe(BLOCKS)
  })

  test('go into the block before them and out of it', () => {
    const inside = indentBlock(BLOCKS, 'e')
    expect(shape(inside ?? [])).toEqual(['a', ['b', ['c', 'd', 'e']]])
    expect(shape(outdentBlock(inside ?? [], 'e') ?? [])).toEqual(shape(BLOCKS))
    for (const id of ['a', 'b', 'c', 'd', 'nothing']) expect(indentBlock(BLOCKS, id)).toBeNull()
    expect(outdentBlock(BLOCKS, 'a')).toBeNull()
  })

  test('never lie deeper than four levels', () => {
    const deep = [card('1', card('2', card('3', block('x'))), card('y', block('z')))]
    const [into] = [indentBlock([...deep, card('q', card('r', block('s')))], 'q')]
    expect(shape(into ?? [])).toEqual([
      [
        '1',
        [
          ['2', [['3', ['x']]]],
          ['y', ['z']],
          ['q', [['r', ['s']]]],
        ],
      ],
    ])
    expect(indentBlock([...deep, card('q', card('r', card('s', block('t'))))], 'q')).toBeNull()
  })

  test('are copied with ids of their own, and removed with what they hold', () => {
    const copied = duplicateBlock(BLOCKS, 'b')
    expect(copied?.copy).toBe('b_2')
    expect(shape(copied?.blocks ?? [])).toEqual(['a', ['b', ['c', 'd']], ['b_2', ['c_2', 'd_2']], 'e'])
    expect(shape(removeBlock(BLOCKS, 'b'))).toEqual(['a', 'e'])
    expect(duplicateBlock(BLOCKS, 'nothing')).toBeNull()
  })

  test('are inserted behind the chosen one, also inside', () => {
    expect(shape(insertBlock(BLOCKS, block('n'), 'c'))).toEqual(['a', ['b', ['c', 'n', 'd']], 'e'])
    expect(shape(insertBlock(BLOCKS, block('n'), null))).toEqual(['a', ['b', ['c', 'd']], 'e', 'n'])
  })

  test('of every kind begin as the server takes them, but for files, which must be named', () => {
    const page = QUIZ[1] as FunnelPage
    const types: BlockType[] = ['heading', 'text', 'list', 'spacer', 'divider', 'stack', 'card', 'button', 'field']
    types.push(
      'progress',
      'timer',
      'testimonial',
      'faq',
      'chart',
      'plans',
      'checkout',
      'legal',
      'store_buttons',
      'qr',
      'html',
    )
    for (const type of types) {
      const own = { ...page, blocks: [newBlock(type, page)] }
      expect([type, readPages([own, ...QUIZ.slice(2)]).faults]).toEqual([type, []])
    }
  })
})

describe('the pages', () => {
  test('a new page stands on the way of the page before it', () => {
    const { state, id } = addPage(STATE, 'info', 'minutes')
    const next = (name: string) => state.pages.find((page) => page.id === name)?.next.default
    expect([id, next('minutes'), next(id)]).toEqual(['info', 'info', 'age'])
    expect(readPages(state.pages).faults).toEqual([])
  })

  test('a removed page is left out of the ways, and rules that ask for its fields are dropped', () => {
    expect(pagesLeadingTo(STATE, 'minutes').map(({ id }) => id)).toEqual(['goal', 'stress'])
    for (const { id } of QUIZ) {
      const { pages } = removePage(STATE, id)
      expect(readPages(pages).faults).toEqual([])
      expect(pages.flatMap(({ next }) => [next.default, ...next.rules.map(({ to }) => to)])).not.toContain(id)
    }
    expect(removePage(STATE, 'nothing')).toBe(STATE)
  })

  test('are moved in the list, and not beyond it', () => {
    expect(movePage(STATE, 'goal', -1).pages[0]?.id).toBe('goal')
    expect(movePage(STATE, 'welcome', -1)).toBe(STATE)
  })

  test('show the same by blocks as they did without', () => {
    for (const { pages } of TEMPLATES)
      for (const page of pages) {
        const own = { ...page, blocks: ownBlocks(page) }
        const faults = readPages(pages.map((one) => (one.id === page.id ? own : one))).faults
        expect([page.id, faults]).toEqual([page.id, []])
      }
  })

  test('a text in one language is written and taken away', () => {
    expect(withText({ en: 'a' }, 'tr', 'b')).toEqual({ en: 'a', tr: 'b' })
    expect(withText({ en: 'a', tr: 'b' }, 'tr', '')).toEqual({ en: 'a' })
  })
})

describe('the fields', () => {
  test('a new name is named by rules and blocks too', () => {
    const goal = QUIZ[1]?.fields[0]
    if (!goal) throw new Error('no field')
    const { pages } = withField(STATE, 'goal', 'goal', { ...goal, id: 'aim' })
    expect(pages[1]?.next.rules[0]?.when[0]?.field).toBe('aim')
    expect(readPages(pages).faults).toEqual([])
  })

  test('a removed one takes the rules with it that ask for it', () => {
    const { pages } = removeField(STATE, 'goal', 'goal')
    expect(pages[1]).toMatchObject({ fields: [], next: { rules: [] } })
    expect(readPages(pages).faults).toEqual([])
  })

  test('a new one has an id that no field of the funnel has, and two options where one chooses', () => {
    const field = newField(STATE, 'single')
    expect(field.options.map(({ id }) => id)).toEqual(['a', 'b'])
    const twice = addField(addField(STATE, 'age', field), 'age', newField(addField(STATE, 'age', field), 'single'))
    expect(twice.pages.find(({ id }) => id === 'age')?.fields.map(({ id }) => id)).toEqual([
      'age',
      'single',
      'single_2',
    ])
    expect(readPages(twice.pages).faults).toEqual([])
  })
})

describe('the steps', () => {
  test('fifty are taken back, and taken again', () => {
    let history = noted<number>(EMPTY_HISTORY, 0, null)
    for (let value = 1; value < 80; value++) history = noted(history, value, null)
    let now = 80
    let back = 0
    for (let step = stepped(history, now, 'back'); step; step = stepped(history, now, 'back')) {
      ;({ history, value: now } = step)
      back++
    }
    expect([back, now]).toEqual([MOST_STEPS, 80 - MOST_STEPS])
    for (let step = stepped(history, now, 'forward'); step; step = stepped(history, now, 'forward'))
      ({ history, value: now } = step)
    expect(now).toBe(80)
  })

  test('typing in one field is one step, and a change after a step back forgets what was ahead', () => {
    let history = noted<string>(EMPTY_HISTORY, '', 'title')
    history = noted(history, 'a', 'title')
    history = noted(history, 'ab', 'text')
    expect(history.past).toEqual(['', 'ab'])
    const back = stepped(history, 'abc', 'back')
    expect(back?.value).toBe('ab')
    expect(noted(back?.history ?? history, 'ab', null).future).toEqual([])
    expect(stepped(EMPTY_HISTORY, 1, 'back')).toBeNull()
  })
})

describe('the layout of the flow', () => {
  test('every page has a place of its own, whatever leads where', () => {
    const random = numbers(7)
    for (let run = 0; run < 200; run++) {
      const count = 1 + Math.floor(random() * 30)
      const ids = Array.from({ length: count }, (_, index) => `p${index}`)
      const some = () => ids[Math.floor(random() * count)] ?? 'p0'
      const pages = ids.map((id): FunnelPage => {
        const rules = random() < 0.4 ? [{ match: 'all' as const, when: [], to: some() }] : []
        return { id, type: 'info', title: {}, fields: [], next: { rules, default: random() < 0.2 ? null : some() } }
      })
      const columns = 2 + Math.floor(random() * 5)
      const places = layoutOf(pages, columns)
      expect(places.map(({ page }) => page.id).toSorted()).toEqual(ids.toSorted())
      expect(new Set(places.map(({ column, row }) => `${column},${row}`)).size).toBe(count)
      for (const { column, row } of places) expect(column < columns && column >= 0 && row >= 0).toBe(true)
    }
  })
})

describe('the problems', () => {
  test('are those of the server, with the page and the innermost block', () => {
    expect(problemsOf(STATE, true, NO_FILES)).toEqual({ faults: [], warnings: [], lacks: [] })
    const french = problemsOf({ ...STATE, locales: ['en', 'fr'] }, true, NO_FILES)
    expect(french.warnings).toEqual([])
    expect(french.lacks).toEqual([{ locale: 'fr', count: expect.any(Number) }])
    const broken = problemsOf({ ...STATE, pages: QUIZ.slice(0, -1) }, true, NO_FILES)
    expect(broken.faults).toEqual([
      expect.objectContaining({ page: 'offer', block: null, path: 'pages[7].next.default' }),
    ])
    const logo = { ...STATE, theme: { ...STATE.theme, logo: { asset: 'ast_gone' } } }
    expect(problemsOf(logo, true, NO_FILES).faults).toEqual([expect.objectContaining({ path: 'theme.logo' })])
    expect(problemsOf(logo, true, null).faults).toEqual([]) // The files are not read yet.
    const pages = [{ ...(QUIZ[0] as FunnelPage), blocks: BLOCKS }]
    const at = (path: string) => placed({ pages }, { path, message: '' })
    expect(at('pages[0].blocks[1].props.children[1].props.text.en')).toMatchObject({ page: 'welcome', block: 'd' })
    expect(at('theme.colors.text')).toMatchObject({ page: null, tab: 'look' })
    expect(at('settings.offering')).toMatchObject({ page: null, tab: 'settings' })
  })

  test('a block is counted once', () => {
    expect(placesOf(BLOCKS).map(({ block: { id } }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('how many took each way', () => {
  const rule = (to: string) => ({ match: 'all' as const, when: [{ field: 'a', op: 'is_empty' as const }], to })
  const page: FunnelPage = {
    ...{ id: 'goal', type: 'question', title: {}, fields: [] },
    next: { rules: [rule('calm'), rule('end')], default: 'end' },
  }
  const people = (ways: { to: string; sessions: number }[]) =>
    countedWays(page, new Map([['goal', { ways }]])).map((way) => way.people)

  test('is known of each page that follows, and said once where two ways lead to one page', () => {
    expect(
      people([
        { to: 'end', sessions: 7 },
        { to: 'calm', sessions: 3 },
      ]),
    ).toEqual([3, 7, null])
    expect(people([{ to: 'end', sessions: 7 }])).toEqual([0, 7, null])
    expect(countedWays(page, new Map()).map((way) => way.people)).toEqual([null, null, null])
  })

  test('makes the line of the most used way the widest', () => {
    const [calm, end, last] = countedWays(
      page,
      new Map([
        [
          'goal',
          {
            ways: [
              { to: 'end', sessions: 8 },
              { to: 'calm', sessions: 2 },
            ],
          },
        ],
      ]),
    ).map((way) => lineWidth(way, 8))
    expect([calm, end, last]).toEqual([2.125, 4, 1.5])
  })
})

test('the variants of a funnel are those of every test with it that is not over', () => {
  const value = (funnelId: string) => ({ value: { funnelId } })
  const tested = { type: 'FUNNEL', status: 'RUNNING', name: 'Length' } as const
  const long = { name: 'Long', ...value('fnl_long') }
  const short = { name: 'Short', ...value('fnl_short') }
  const tests = [
    { ...tested, variants: [long, short, 'broken', { name: 'None', value: null }] },
    { ...tested, name: 'Over', status: 'COMPLETED' as const, variants: [long, short] },
    { ...tested, name: 'Flag', type: 'FLAG' as const, variants: [long, short] },
    { ...tested, name: 'Others', variants: [short] },
  ]
  expect(variantsBeside(tests, 'fnl_long')).toEqual([
    { test: 'Length', name: 'Long', funnelId: 'fnl_long' },
    { test: 'Length', name: 'Short', funnelId: 'fnl_short' },
  ])
  expect(variantsBeside(tests, 'fnl_none')).toEqual([])
})

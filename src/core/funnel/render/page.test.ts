import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPages } from '../pages'
import { renderPage } from './page'
import type { PageView } from './view'

const TODAY = '2026-11-29'
const MONTH = {
  packageIdentifier: 'monthly',
  productType: 'SUBSCRIPTION',
  name: 'Monthly',
  price: { amountMicros: 12_990_000, currency: 'USD' },
  interval: 'month' as const,
  intervalCount: 1,
  trialDays: 7,
  dueNow: { amountMicros: 0, currency: 'USD' },
}

const view = (page: object, more: Partial<PageView> = {}): PageView => {
  const { pages, faults } = readPages([page])
  if (faults.length > 0 || !pages[0]) throw new Error(JSON.stringify(faults))
  return {
    name: 'Quiz',
    content: { pages, theme: {}, defaultLocale: 'en' },
    settings: {},
    page: pages[0],
    locale: 'en',
    answers: {},
    query: {},
    prices: [MONTH],
    progress: 0.5,
    canGoBack: true,
    faults: {},
    form: { action: '/f/x/y', method: 'post', hidden: {} },
    links: { terms: 'https://example.com/terms', privacy: null, asset: () => null, font: () => null },
    nonce: 'n0nce',
    isPreview: false,
    ...more,
  }
}
const drawn = (page: object, more: Partial<PageView> = {}): string => renderPage(view(page, more), TODAY)
const text = (id: string, written: string) => ({ id, type: 'text', props: { text: { en: written } } })
const count = (html: string, part: string | RegExp): number => html.split(part).length - 1

describe('a page', () => {
  test('has one h1, whatever it is drawn from', () => {
    const pages = [
      { id: 'a', type: 'info', title: { en: 'Hello' } },
      { id: 'a', type: 'info' },
      { id: 'a', type: 'info', blocks: [text('t', 'x')] },
      { id: 'a', type: 'info', blocks: ['h', 'i'].map((id) => ({ id, type: 'heading', props: { text: { en: id } } })) },
    ]
    expect(pages.map((page) => count(drawn(page), '<h1'))).toEqual([1, 1, 1, 1])
  })

  test('has no script, no style in an element and nothing from elsewhere', () => {
    const html = drawn({
      id: 'a',
      type: 'payment',
      blocks: [
        { id: 'p', type: 'plans', props: {} },
        { id: 'l', type: 'legal' },
      ],
    })
    expect(html).not.toMatch(/<script|\sstyle="|\son\w+=|<link|url\(/i)
    expect(html).toContain('<style nonce="n0nce">')
  })

  test('is written in the language of the visitor and its direction', () => {
    const page = { id: 'a', type: 'info', title: { en: 'Hi', ar: 'مرحبا' } }
    expect(drawn(page, { locale: 'ar' })).toStartWith('<!doctype html><html lang="ar" dir="rtl">')
    expect(drawn(page, { locale: 'de' })).toContain('>Weiter</button>')
    expect(drawn(page, { locale: 'de' })).toContain('>Hi</h1>')
  })

  test('keeps what was answered, and shows a fault at its field', () => {
    const field = { id: 'age', kind: 'number', required: true, min: 16 }
    const page = { id: 'a', type: 'question', title: { en: 'Your age?' }, fields: [field] }
    const html = drawn(page, { answers: { age: 12 }, faults: { age: 'too_low' } })
    expect(html).toContain('name="a.age" value="12"')
    expect(html).toContain('aria-invalid="true" aria-describedby="fault-age"')
    expect(html).toContain('<p class="fault" id="fault-age">This number is too low.</p>')
  })

  test('has fields and languages with the names of members that every object has', () => {
    const page = { id: 'a', type: 'question', title: { valueOf: 'Hi' }, fields: [{ id: 'constructor', kind: 'text' }] }
    const html = drawn(page, { locale: 'toString', content: { ...view(page).content, defaultLocale: 'valueOf' } })
    expect(html).toContain('>Hi</h1>')
    expect(html).toContain('<input id="field-constructor" name="a.constructor" type="text" aria-labelledby="title">')
    expect(drawn({ ...page, title: { en: '{{answer.constructor|nothing}}' } })).toContain('>nothing</h1>')
  })

  test('of one field has its title as the label; of several fields each has a label that is seen', () => {
    const one = drawn({ id: 'a', type: 'question', title: { en: 'Your name?' }, fields: [{ id: 'n', kind: 'text' }] })
    expect(one).toContain('<h1 id="title">Your name?</h1>')
    expect(one).toContain('<input id="field-n" name="a.n" type="text" aria-labelledby="title">')
    const fields = [
      { id: 'first', kind: 'text', label: { en: 'First **name**' }, placeholder: { en: 'Ada' } },
      { id: 'age', kind: 'number', placeholder: { en: 'Your age' } },
      { id: 'mood', kind: 'single', label: { en: 'Your mood' }, options: [{ id: 'good', label: { en: 'Good' } }] },
      { id: 'stars', kind: 'rating' },
    ]
    const several = drawn({ id: 'a', type: 'question', title: { en: 'About you' }, fields })
    expect(several).toContain(
      '<label class="label" for="field-first" id="label-first">First <strong>name</strong></label>',
    )
    expect(several).toContain('placeholder="Ada" aria-labelledby="title label-first"')
    expect(several).toContain('<label class="label" for="field-age" id="label-age">Your age</label>')
    expect(several).toContain(
      '<p class="label" id="label-mood">Your mood</p><fieldset class="choice" aria-labelledby="title label-mood">',
    )
    expect(several).toContain(
      '<p class="label" id="label-stars">stars</p><fieldset class="rating" aria-labelledby="title label-stars">',
    )
    expect(several).not.toContain('aria-label="About you')
  })

  test('of blocks shows a label only where the field has one, for a text may stand above it', () => {
    const fields = [
      { id: 'a', kind: 'text', label: { en: 'A' } },
      { id: 'b', kind: 'text', placeholder: { en: 'B' } },
    ]
    const blocks = fields.map(({ id }) => ({ id, type: 'field', props: { fieldId: id } }))
    const html = drawn({ id: 'p', type: 'question', title: { en: 'Two' }, fields, blocks })
    expect(html.split('class="label"')).toHaveLength(2)
    expect(html).toContain('aria-label="Two: B"')
  })

  test('of a field with a label shows it, also where it is the only one', () => {
    const field = { id: 'n', kind: 'text', label: { en: 'First name' } }
    expect(drawn({ id: 'a', type: 'question', title: { en: 'You' }, fields: [field] })).toContain('>First name</label>')
  })

  test('shows a block only when the answers say so', () => {
    const when = { match: 'all', when: [{ field: 'f', op: 'eq', value: 'yes' }] }
    const fields = [{ id: 'f', kind: 'text' }]
    const page = { id: 'a', type: 'question', fields, blocks: [{ ...text('t', 'Shown'), visibleWhen: when }] }
    expect(drawn(page)).not.toContain('Shown')
    expect(drawn(page, { answers: { f: 'yes' } })).toContain('<p>Shown</p>')
  })

  test('of plans shows the price that is charged as the largest, and takes no extra', () => {
    const html = drawn({ id: 'a', type: 'payment', blocks: [{ id: 'p', type: 'plans', props: { showPerDay: true } }] })
    expect(html).toContain('<strong class="price">$12.99 <small>per month</small></strong>')
    expect(html).toContain('<small>$0.43 per day</small>')
    expect(html).toContain('7 days free')
    expect(count(html, ' checked')).toBe(1)
  })

  test('says that a price is charged until one cancels only of what renews', () => {
    const page = { id: 'a', type: 'payment', blocks: [{ id: 'l', type: 'legal' }] }
    expect(drawn(page)).toContain('Monthly: $12.99 per month until you cancel.')
    expect(
      drawn(page, {
        prices: [{ ...MONTH, interval: null }],
        links: { terms: null, privacy: null, asset: () => null, font: () => null },
      }),
    ).toContain('<div class="legal"></div>')
  })

  test('says so when there is no price', () =>
    expect(drawn({ id: 'a', type: 'payment' }, { prices: [] })).toContain('The price is not available'))

  test('of a preview cannot be paid', () =>
    expect(drawn({ id: 'a', type: 'payment' }, { isPreview: true })).toContain(
      'value="next" disabled>Pay now</button>',
    ))
})

describe('a text', () => {
  const written = (text_: string, more: Partial<PageView> = {}) => {
    const page = { id: 'a', type: 'question', fields: [{ id: 'f', kind: 'text' }], blocks: [text('t', text_)] }
    return /<p>(.*?)<\/p>/.exec(drawn(page, more))?.[1]
  }

  test('has marks', () => {
    expect(written('**a** and _b_, [c](https://example.com/?x=1&y=2)')).toBe(
      '<strong>a</strong> and <em>b</em>, <a href="https://example.com/?x=1&amp;y=2" rel="noopener noreferrer">c</a>',
    )
    expect(written('snake_case_name [x](javascript:alert)')).toBe('snake_case_name [x](javascript:alert)')
  })

  test('inserts values as text and never as marks', () => {
    const hostile = '**x** <img src=x onerror=y> [z](https://evil.example) {{answer.f}}'
    const html = written('Hi **{{answer.f|you}}**', { answers: { f: hostile } })
    expect(html).toBe('Hi <strong>**x** &lt;img src=x onerror=y&gt; [z](https://evil.example) {{answer.f}}</strong>')
    expect(written('Hi {{answer.f|you}}')).toBe('Hi you')
  })

  test('inserts prices in the form of the visitor', () => {
    expect(written('{{price.monthly.total}} · {{price.monthly.perWeek}} · {{price.monthly.trialDays}}')).toBe(
      '$12.99 · $2.99 · 7',
    )
    expect(written('{{price.gone.total|soon}}')).toBe('soon')
  })

  test('of any characters is written as itself, so that nobody can write markup', () => {
    fc.assert(
      fc.property(
        fc
          .string({ unit: 'binary', minLength: 1, maxLength: 40 })
          .filter((any) => any.trim() !== '' && any.isWellFormed() && !any.includes('\0')),
        (any) => {
          const html = drawn(
            { id: 'a', type: 'question', fields: [{ id: 'f', kind: 'text' }], blocks: [text('t', '{{answer.f}}')] },
            { answers: { f: any } },
          )
          const bare = html.replace(
            /<\/?(html|head|meta|title|style|body|header|main|footer|form|h1|p|div|button|progress|strong|em|a|br)\b[^<>]*>/g,
            '',
          )
          return !/<(?!!doctype)[a-z/]/i.test(bare)
        },
      ),
      { seed: 20261129, numRuns: 100 },
    )
  })
})

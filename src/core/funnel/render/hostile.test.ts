import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPages } from '../pages'
import { renderPage } from './page'

const ELEMENTS = new Set(
  'html head meta title style body header main footer form button progress h1 h2 h3 p div strong em a br ul ol li hr svg rect path line polyline circle fieldset legend label input span small details summary figure blockquote figcaption iframe img g text'.split(
    ' ',
  ),
)
const PIECES = [
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onmouseover='x", '</style><script>', '</form>'],
  ...[
    'javascript:alert(1)',
    '[x](javascript:alert(1))',
    '[x](https://a.example/"onclick="y)',
    '**',
    '_',
    '{{answer.f}}',
  ],
  ...[
    '{{query.q|<b>}}',
    '&lt;script&gt;',
    '<!--',
    ']]>',
    '\ue0000\ue001',
    '`',
    '\u202e',
    '<iframe srcdoc=x>',
    'data:text/html,x',
  ],
  ...['</iframe>', '[<b>](https://a.example)', '\n', ' ', 'ok', '</title><script>x</script>', '<svg onload=x>'],
]
const hostile = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((parts) => `x${parts.join('')}`)

/** A page with a block of each type that has texts, and each text is the hostile one. */
function pageOf(written: string) {
  const en = { en: written }
  const block = (type: string, props: object = {}) => ({ id: `b-${type}`, type, props })
  const blocks = [
    block('heading', { text: en }),
    block('text', { text: en }),
    block('list', { items: [en, en] }),
    block('button', { label: en, action: { type: 'next' } }),
    block('testimonial', { quote: en, author: en, rating: 5 }),
    block('faq', { items: [{ question: en, answer: en }] }),
    block('chart', { kind: 'bar', points: [{ label: en, value: 1 }] }),
    block('legal', { text: en }),
    block('html', { source: written }),
    block('store_buttons'),
    block('qr'),
    block('card', { children: [{ id: 'deep', type: 'text', props: { text: en } }] }),
  ]
  const options = [{ id: 'o', label: en }]
  const fields = [
    { id: 'f', kind: 'text', label: en, placeholder: en },
    { id: 'c', kind: 'single', options },
  ]
  return { id: 'a', type: 'question', title: en, fields, blocks: [...blocks, block('field', { fieldId: 'c' })] }
}

function drawn(written: string): string {
  const { pages, faults } = readPages([pageOf(written)])
  const [page] = pages
  if (faults.length > 0 || !page) throw new Error(JSON.stringify(faults))
  const store = { label: written, url: `https://a.example/?${encodeURIComponent(written)}` }
  return renderPage(
    {
      ...{ name: written, content: { pages, theme: {}, defaultLocale: 'en' }, settings: {}, page, locale: 'en' },
      ...{ answers: { f: written }, query: { q: written }, prices: [], progress: 0, canGoBack: true, faults: {} },
      form: { action: '/f/x/y', method: 'post', hidden: { token: written } },
      links: { terms: null, privacy: null, asset: () => null, font: () => null, frame: () => '/f/-/block/0' },
      ...{ nonce: 'n0nce', isPreview: false, ways: { stores: [store], code: '<svg></svg>' } },
    },
    '2026-11-29',
  )
}

/** Everything in a page that an author or a visitor must not be able to write, as a browser would read it. */
function intruders(html: string): string[] {
  const found: string[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element({ tagName, attributes }) {
      if (!ELEMENTS.has(tagName)) found.push(tagName)
      for (const [name = '', value = ''] of attributes) {
        if (/^on|^style$|^srcdoc$/.test(name)) found.push(`${tagName} ${name}`)
        if (name === 'href' && !value.startsWith('https://')) found.push(`${tagName} ${value}`)
        if (name === 'src' && value !== '/f/-/block/0') found.push(`${tagName} ${value}`)
      }
    },
  })
  rewriter.transform(html)
  return found
}

test('the check itself finds what a text could smuggle in', () => {
  const html = '<p onclick="x"><script></script><a href="javascript:x">y</a><img src="http://a"></p>'
  expect(intruders(html)).toEqual(['p onclick', 'script', 'a javascript:x', 'img http://a'])
})

test('no text of a block, a field, an answer or an address becomes markup', () => {
  fc.assert(
    fc.property(hostile, (written) => {
      expect(intruders(drawn(written))).toEqual([])
    }),
    { seed: 20261129, numRuns: 300 },
  )
})

test('the source of an html block is never a part of the page itself', () => {
  const html = drawn('<b>own</b>')
  expect(html).toContain('<iframe class="html" sandbox="allow-scripts" src="/f/-/block/0" title="More content"')
  expect(html).not.toContain('<b>own</b>')
})

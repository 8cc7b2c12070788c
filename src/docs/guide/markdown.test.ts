import { expect, test } from 'bun:test'
import { renderPage } from './markdown'

const htmlOf = (markdown: string): string => renderPage('page', `# T\n\nLead.\n\n${markdown}`).html

test('title and summary are taken out of the page', () => {
  const page = renderPage('page', '# A `b` & c\n\nIt *is* so.\n\nMore.')
  expect(page).toEqual({
    slug: 'page',
    title: 'A b & c',
    summary: 'It <em>is</em> so.',
    html: '<p>More.</p>\n',
    headings: [],
  })
})

test('a page that does not begin with both is refused', () => {
  for (const text of ['', 'Text.', '# Title', '# Title\n\n- list'])
    expect(() => renderPage('page', text)).toThrow('page.md must begin with')
})

test('headings lead to themselves', () => {
  expect(htmlOf('## Who can *cancel* it?')).toBe(
    '<h2 id="who-can-cancel-it"><a href="#who-can-cancel-it">Who can <em>cancel</em> it?</a></h2>\n',
  )
})

test('HTML in a page is shown as text', () => {
  expect(htmlOf('a <b>b</b>\n\n<script>x</script>')).toBe(
    '<p>a &lt;b&gt;b&lt;/b&gt;</p>\n&lt;script&gt;x&lt;/script&gt;',
  )
  expect(htmlOf('```sh\necho <x> # <y>\n```')).toBe(
    '<pre tabindex="0"><code class="language-sh"><b>echo</b> &lt;x&gt;<span class="c"> # &lt;y&gt;</span></code></pre>\n',
  )
})

test('links to files of the guide become links to its pages, others stay', () => {
  const hrefs = [...htmlOf('[a](web.md#x) [b](/docs) [c](https://example.com/d.md)').matchAll(/href="([^"]*)"/g)]
  expect(hrefs.map(([, href]) => href)).toEqual(['/docs/guide/web#x', '/docs', 'https://example.com/d.md'])
})

test('tables scroll inside of a frame that the keyboard reaches', () => {
  expect(htmlOf('| a |\n| - |\n| b |')).toMatch(
    /^<div class="scroll" tabindex="0" role="region".*<th scope="col">a<\/th>/,
  )
})

test('short code is kept whole, long code may be broken', () => {
  expect(htmlOf('`--prune`')).toContain('<code class="whole">--prune</code>')
  expect(htmlOf(`\`${'x'.repeat(40)}\``)).toContain(`<code>${'x'.repeat(40)}</code>`)
})

test('what follows the language of a block stands above it', () => {
  expect(htmlOf('```diff src/a.ts\n a\n+b <c>\n-d\n```')).toBe(
    '<figure><figcaption><code class="whole">src/a.ts</code></figcaption>' +
      '<pre tabindex="0"><code class="language-diff"> a\n<ins>+b &lt;c&gt;</ins>\n<del>-d</del></code></pre>\n</figure>\n',
  )
  expect(htmlOf('```text bun test a\nb\n```')).toStartWith(
    '<figure><figcaption><code class="whole">bun test a</code> prints</figcaption>',
  )
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { renderLetter } from './render'

const LETTER = {
  subject: 'Reset your password',
  paragraphs: ['Hello Ada,', 'two\nlines'],
  action: { label: 'Reset', url: 'https://svc.example.com/r?a=1&b=2' },
}

describe('a letter', () => {
  test('as plain text has its paragraphs, its link and its way out', () => {
    expect(renderLetter(LETTER, 'https://svc.example.com/u').text).toBe(
      'Hello Ada,\n\ntwo\nlines\n\nReset:\nhttps://svc.example.com/r?a=1&b=2\n\n-- \nTo get no more mails of this kind: https://svc.example.com/u\n',
    )
  })

  test('as HTML has the same, and adapts to dark mode', () => {
    const { html } = renderLetter(LETTER, 'https://svc.example.com/u')
    expect(html).toContain('<p>two<br>lines</p>')
    expect(html).toContain('<a class="button" href="https://svc.example.com/r?a=1&amp;b=2">Reset</a>')
    expect(html).toContain('<a href="https://svc.example.com/u">unsubscribe</a>')
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
  })

  test('that is not optional has no way out', () => {
    const { text, html } = renderLetter(LETTER, null)
    expect(text + html).not.toContain('no more mails')
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'not an address', '//example.com'])(
    'never makes a link of %p',
    (url) => {
      const { html } = renderLetter({ ...LETTER, action: { label: 'Click', url } }, null)
      expect(html).not.toContain('href')
      expect(html).not.toContain('Click')
    },
  )

  test('has one line of subject', () => {
    const { subject } = renderLetter({ ...LETTER, subject: ' a\r\nBcc: eve@example.com\u2028b\0 ' }, null)
    expect(subject).toBe('a Bcc: eve@example.com b')
  })

  test('of any text has no other tags than its own, and loads nothing', () => {
    const frame = tagsOf(renderLetter({ subject: '', paragraphs: [''], action: LETTER.action }, null).html)
    const nasty = fc.oneof(
      fc.string(),
      fc.constantFrom('<img src=//x>', '</style><script>', '"><b>', '&lt;', "' onx='"),
    )
    fc.assert(
      fc.property(nasty, nasty, nasty, (subject, paragraph, label) => {
        const { html } = renderLetter(
          { subject, paragraphs: [paragraph.replace(/[\r\n]/g, '')], action: { ...LETTER.action, label } },
          null,
        )
        expect(tagsOf(html)).toEqual(frame)
        expect(html).not.toMatch(/<(img|script|link|iframe)|url\(|@import/i)
      }),
    )
  })
})

const tagsOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? []

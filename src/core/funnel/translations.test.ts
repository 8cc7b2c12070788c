import { describe, expect, test } from 'bun:test'
import type { FunnelPage } from './model'
import { QUIZ } from './templates/selling'
import { keyOf, textRows, withTextAt, withTranslations } from './translations'
import { fromXliff, toXliff } from './xliff'

const CONTENT = { pages: QUIZ }
const LANGUAGES = { defaultLocale: 'en', locales: ['en', 'de', 'tr', 'ja'] }

describe('the texts of a funnel', () => {
  test('are named by ids, each once', () => {
    const keys = textRows(CONTENT).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toContain('pages.goal.fields.goal.options.calm.label')
    expect(keys).toContain('pages.offer.blocks.title.props.text')
    expect(keyOf(CONTENT, 'pages[0].title')).toBe('pages.welcome.title')
  })

  test('are found again after the pages were moved', () => {
    const rows = [{ key: 'pages.offer.blocks.title.props.text', texts: { tr: 'Yeni' } }]
    const { pages, changed, unknown } = withTranslations({ pages: QUIZ.toReversed() }, rows)
    expect([changed, unknown]).toEqual([1, []])
    const offer = pages.find(({ id }) => id === 'offer')
    expect(offer?.blocks?.[0]?.props).toMatchObject({ text: { tr: 'Yeni', en: 'Your plan is ready' } })
  })

  test('that are the same, empty or of nothing change nothing', () => {
    const same = textRows(CONTENT)
    expect(withTranslations(CONTENT, same)).toEqual({ pages: [...QUIZ], changed: 0, unknown: [] })
    const rows = [
      { key: 'pages.welcome.title', texts: { de: '  ' } },
      { key: 'pages.__proto__.title', texts: { de: 'x' } },
      { key: 'pages.welcome', texts: { de: 'x' } },
    ]
    const { pages, changed, unknown } = withTranslations(CONTENT, rows)
    expect(pages).toEqual([...QUIZ])
    expect([changed, unknown]).toEqual([0, ['pages.__proto__.title', 'pages.welcome']])
  })
})

test('one text can be written and taken away in one language', () => {
  const key = 'pages.welcome.title'
  const titleIn = (pages: readonly FunnelPage[]) => pages.find(({ id }) => id === 'welcome')?.title
  expect(titleIn(withTextAt(CONTENT, key, 'tr', 'Yeni'))).toMatchObject({ en: 'Find your plan', tr: 'Yeni' })
  expect(titleIn(withTextAt(CONTENT, key, 'tr', ''))).not.toHaveProperty('tr')
  expect(withTextAt(CONTENT, 'pages.gone.title', 'tr', 'x')).toBe(QUIZ)
})

describe('an XLIFF file', () => {
  test('that comes back as it was sent changes nothing', () => {
    const rows = fromXliff(toXliff(textRows(CONTENT), LANGUAGES))
    expect(rows).not.toBeNull()
    expect(withTranslations(CONTENT, rows ?? [])).toMatchObject({ changed: 0, unknown: [] })
  })

  test('has a file for each language, and each is taken', () => {
    const [first] = textRows(CONTENT)
    const text = toXliff(textRows(CONTENT), LANGUAGES)
    const german = first?.texts.de ?? ''
    const { pages, changed } = withTranslations(CONTENT, fromXliff(text.replaceAll(german, 'Neu')) ?? [])
    expect(changed).toBeGreaterThan(0)
    expect(textRows({ pages })[0]?.texts).toEqual({ ...first?.texts, de: 'Neu' })
    const twice = fromXliff(text.replaceAll('id="', 'id="former.')) ?? []
    const { unknown } = withTranslations(CONTENT, twice)
    expect(new Set(unknown).size).toBe(unknown.length)
  })

  test('keeps every character of a text', () => {
    const strange = `a < b & "c" 'd' > e\n{{answer.goal|x}} **f** 日本`
    const rows = [{ key: 'pages.a.title', texts: { en: strange, tr: strange } }]
    expect(fromXliff(toXliff(rows, { defaultLocale: 'en', locales: ['en', 'tr'] }))).toEqual([
      { key: 'pages.a.title', texts: { tr: strange } },
    ])
  })

  test('of a program of translators is read: sections of characters, numbers of characters, marks', () => {
    const file = `<xliff version="1.2"><file target-language='tr'><body><trans-unit id="a"><target state="final"><g id="1">Bir</g> &#x131;&#305; <![CDATA[<b>&amp;]]></target></trans-unit><trans-unit id="b"><source>x</source></trans-unit></body></file></xliff>`
    expect(fromXliff(file)).toEqual([{ key: 'a', texts: { tr: 'Bir ıı <b>&amp;' } }])
  })

  test('that is none is refused, and hostile ones end', () => {
    expect(fromXliff('key,en\n')).toBeNull()
    for (const part of ['<file>', '<file target-language="tr"><trans-unit id="a"><target><', '<![CDATA[', 'id="'])
      expect(fromXliff(`<xliff>${part.repeat(100_000)}`)).toEqual([])
    expect(
      fromXliff(
        '<xliff><file target-language="tr"><trans-unit id="a"><target>&#xD800;&nope;</target></trans-unit></file>',
      ),
    ).toEqual([{ key: 'a', texts: { tr: '&#xD800;&nope;' } }])
  })
})

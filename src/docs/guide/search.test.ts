import { describe, expect, test } from 'bun:test'
import { renderPage } from './markdown'
import { excerpt, MOST_QUERY, type Place, placesOf, search, wordsOf } from './search'

const STORE = renderPage(
  'test-store',
  '# The test store\n\nBuilt in.\n\nNo account.\n\n## The clock\n\nMoves `forward` & stops.\n\n### Leaps\n\nNone.\n\n## Faults\n\nStores fail.',
)
const CLOCKS = renderPage('clocks', '# Clocks\n\nAbout the test of time.\n\n## A night\n\nAn hour twice.')
const PLACES = [STORE, CLOCKS].flatMap(placesOf)

const pathsFor = (query: string): string[] => search(PLACES, wordsOf(query)).map(({ path }) => path)

describe('places', () => {
  test('each heading is a place with the text below it, up to the next heading', () => {
    expect(placesOf(STORE).map(({ path, heading, text }): unknown[] => [path, heading, text])).toEqual([
      ['test-store', null, 'Built in. No account.'],
      ['test-store#the-clock', 'The clock', 'Moves forward & stops.'],
      ['test-store#leaps', 'Leaps', 'None.'],
      ['test-store#faults', 'Faults', 'Stores fail.'],
    ])
  })

  test('a page without headings is one place with all its text', () => {
    expect(placesOf(renderPage('x', '# X\n\nOne.\n\nTwo.')).map(({ text }) => text)).toEqual(['One. Two.'])
  })
})

describe('search', () => {
  const cases: [name: string, query: string, paths: string[]][] = [
    ['a title stands before a heading', 'clock', ['clocks', 'test-store#the-clock']],
    ['case does not matter', 'CLOCKS', ['clocks']],
    ['a title stands before a text', 'test', ['test-store', 'clocks']],
    ['title and heading together hold the words', 'store fault', ['test-store#faults']],
    ['a title alone does not bring the parts of its page', 'test store', ['test-store']],
    ['the text below a heading is searched', 'hour twice', ['clocks#a-night']],
    ['every word must be there', 'clock hour', []],
    ['a word that is nowhere finds nothing', 'zebra', []],
    ['no word finds nothing', '   ', []],
  ]
  for (const [name, query, paths] of cases) test(name, () => expect(pathsFor(query)).toEqual(paths))

  test('what is longer than the most is cut', () => {
    expect(wordsOf(`${' '.repeat(MOST_QUERY - 2)}abc`)).toEqual(['ab'])
  })

  test('at most 30 places are found', () => {
    const place: Place = { path: 'x', title: 'X', heading: null, text: '' }
    expect(
      search(
        Array.from({ length: 50 }, () => place),
        ['x'],
      ),
    ).toHaveLength(30)
  })
})

describe('excerpt', () => {
  const long = `${'before '.repeat(40)}needle ${'after '.repeat(60)}`

  test('a short text is whole', () => expect(excerpt('one two', ['two'])).toBe('one two'))
  test('a long one is cut around the word', () => {
    const cut = excerpt(long, ['needle'])
    expect(cut).toMatch(/^… before .*needle after .* …$/)
    expect(cut.length).toBeLessThan(200)
  })
  test('a word that is only in the heading leaves the beginning', () =>
    expect(excerpt(long, ['zebra'])).toStartWith('before before'))
})

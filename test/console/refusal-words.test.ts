import { describe, expect, test } from 'bun:test'
import { ERRORS } from '../../src/base/error-codes'
import { REFUSALS as de } from '../../src/console/text/refusals/de'
import { REFUSALS as ja } from '../../src/console/text/refusals/ja'
import { REFUSALS as tr } from '../../src/console/text/refusals/tr'

// The compiler asks for each code in each language; here is that they say the same.

/** Names that are the same in every language: commands, members, numbers. */
const marksOf = (text: string): string[] =>
  [...text.matchAll(/\d+|svc_\w+|svc [a-z ]+[a-z]|svc\.yaml|[A-Z]{3,}\w*|[a-z]+[A-Z]\w+/g)].map(([mark]) => mark.trim())

describe.each(Object.entries({ de, tr, ja }))('refusals in %s', (_language, words) => {
  test('are there for each code, and none for another', () => {
    expect(Object.keys(words).toSorted()).toEqual(Object.keys(ERRORS).toSorted())
    expect(Object.values(words).filter((text) => !/[.:。]$/.test(text))).toEqual([])
    expect(new Set(Object.values(words)).size).toBe(Object.keys(ERRORS).length)
  })

  test('are not English, and have the names of the English sentence', () => {
    for (const [code, { message }] of Object.entries(ERRORS)) {
      const own = words[code as keyof typeof words]
      expect([code, own === message]).toEqual([code, false])
      expect([code, marksOf(message).filter((mark) => !own.includes(mark))]).toEqual([code, []])
    }
  })
})

import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultInWords } from '../../src/console/screens/growth/funnels/fault-sentences'
import type { FunnelState } from '../../src/console/screens/growth/funnels/model'
import { problemsOf } from '../../src/console/screens/growth/funnels/problems'
import { texts as de } from '../../src/console/text/de/funnel-faults'
import { texts as en } from '../../src/console/text/en/funnel-faults'
import { texts as ja } from '../../src/console/text/ja/funnel-faults'
import { texts as tr } from '../../src/console/text/tr/funnel-faults'
import { NO_FILES } from '../../src/core/funnel/files'

const LANGUAGES = { de, tr, ja }
const RULES = join(import.meta.dir, '../../src/core/funnel')
const VERB = /^(must|is|has|lies|stands|inserts|asks|shows) /

/** Of languages that lack texts, which the console counts by itself, and of the address, which is no part of the document. */
const ELSEWHERE = /^has no text in |another meaning in the address$/

/** The sentences in the rules of funnels, with a number or a kind in the place of what they name. */
const sentences = readdirSync(RULES)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) => {
    const source = readFileSync(join(RULES, name), 'utf8')
    const templates = [...source.matchAll(/`([^`]*)`/g)].map(([, text = '']) => text)
    const plain = [...source.replaceAll(/`[^`]*`/g, '').matchAll(/'([^'\n]*)'/g)].map(([, text = '']) => text)
    return [...templates, ...plain].filter((text) => VERB.test(text) && !ELSEWHERE.test(text))
  })
const fill = (sentence: string, value: string) =>
  sentence.replaceAll(/\$\{[^}]*\}/g, (part) => (part.includes('?') ? 'whole ' : value))

test('every sentence of the rules is known', () => {
  expect(sentences.length).toBeGreaterThan(50)
  const unknown = sentences.filter((sentence) =>
    ['1', 'a picture', 'eq'].every((value) => faultInWords(fill(sentence, value), de) === null),
  )
  expect(unknown).toEqual([])
})

const SAID: readonly string[] = [
  'must be a whole number from 0 to 400',
  'must be a number from 0 to 1.5',
  'welcome: no page leads to it',
  'must be a list of 1 to 100 texts, numbers, true or false for not_in',
  'must name a video; ast_1 is a picture',
  'has a contrast of 2.1 on surface; text needs 4.5',
  'inserts {{answer}}, which is neither {{answer.field}}, {{query.name}} nor {{price.package.total}}',
  'has products that have no payment id, so the account cannot sell them: pro_monthly, pro_yearly',
  'stands twice; every page needs an id of its own',
]

describe('a fault', () => {
  test.each(SAID)('is said in each language: %s', (message) => {
    expect(faultInWords(message, en)).toBe(message)
    const said = Object.values(LANGUAGES).map((words) => faultInWords(message, words))
    expect(said).not.toContain(null)
    expect(new Set([message, ...said]).size).toBe(4)
  })

  test('names what is meant in the words of the language', () => {
    expect(faultInWords('must name a video; ast_1 is a picture', de)).toBe('muss ein Video nennen; ast_1 ist ein Bild')
    expect(faultInWords('has a contrast of 2.1 on surface; text needs 4.5', tr)).toContain('yüzey')
    expect(faultInWords('Something else', de)).toBeNull()
  })

  test('of a draft is said in words, and no English is left', () => {
    const page = { id: 'a', type: 'payment', title: { tr: 'Yalnız' }, fields: [], next: { rules: [], default: 'gone' } }
    const blocks = [
      { id: 'p', type: 'image', props: { asset: 'ast_gone' } },
      { id: 't', type: 'text', props: { text: { en: '{{answer.mood}} {{query.x}} {{odd}}' } } },
      { id: 'l', type: 'plans', props: { packages: 'offering' } },
    ]
    const lost = { ...page, id: 'b', next: { rules: [], default: null } }
    const state = {
      ...{ name: 'F', slug: 'f', defaultLocale: 'en', locales: ['en'], settings: { requireTermsConsent: true } },
      theme: { colors: { text: '#eeeeee', background: '#ffffff' } },
      pages: [{ ...page, blocks }, lost],
    } as unknown as FunnelState
    const { faults, warnings } = problemsOf(state, false, NO_FILES)
    expect([faults.length, warnings.length].every((count) => count > 3)).toBe(true)
    for (const { message } of [...faults, ...warnings])
      for (const words of Object.values(LANGUAGES)) expect([message, faultInWords(message, words)]).not.toContain(null)
  })
})

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { reasonIn } from '../../src/console/lib/reason-words'
import { texts as de } from '../../src/console/text/de/store-reasons'
import { texts as en } from '../../src/console/text/en/store-reasons'
import { texts as ja } from '../../src/console/text/ja/store-reasons'
import { texts as tr } from '../../src/console/text/tr/store-reasons'
import { readReason } from '../../src/core/reason/read'
import { filledReason, REASONS, reasonText } from '../../src/core/reason/reasons'

const ROOT = join(import.meta.dir, '../..')
const CODES = Object.entries(REASONS)
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
const valuesOf = (text: string) => Object.fromEntries(namesIn(text).map((name) => [name, `<${name}>(1)`]))

test('every reason is found again in its own sentence, with its values', () => {
  for (const [code, text] of CODES) {
    const params = valuesOf(text)
    expect(readReason(filledReason(text, params))).toEqual({ code: code as keyof typeof REASONS, params })
  }
})

test('no text of anybody else is a reason', () => {
  for (const text of ['', 'its owner was erased!', 'Google Play refused', 'STORE_UNAVAILABLE', 'x nothing was bought'])
    expect(readReason(text)).toBeNull()
})

test('the server makes every reason', () => {
  const source = [...new Glob('src/{intake,commerce,funnels}/**/*.ts').scanSync(ROOT)]
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
  for (const [code] of CODES) expect([code, source.includes(`reasonText('${code}'`)]).toEqual([code, true])
})

describe.each(Object.entries({ en, de, tr, ja }))('in %s', (language, { reasons, idNames }) => {
  const words = { reasons, idNames, statuses: { EXPIRED: 'ended' }, storeNames: { IOS_STORE: 'App Store' } }

  test('every reason has words of its own, with all its values', () => {
    expect(Object.keys(reasons)).toEqual(Object.keys(REASONS))
    for (const [code, text] of CODES) {
      const params = valuesOf(text)
      const said = reasonIn(filledReason(text, params), words)
      expect([code, said === filledReason(text, params)]).toEqual([code, false])
      expect([code, Object.values(params).filter((value) => !said.includes(value))]).toEqual([code, []])
      expect(said).not.toMatch(/[{}]/)
    }
    expect(new Set(Object.values(reasons)).size).toBe(CODES.length)
  })

  test('the words of a store stay as they are, in quotation marks', () => {
    const said = reasonIn(reasonText('PLAY_REFUSED', { words: '403 permissionDenied' }), words)
    expect(said).toMatch(/[“„「]403 permissionDenied[”“」]$/)
    expect(reasonIn('Anything else that happened', words)).toBe('Anything else that happened')
  })

  test('a reason within a reason has words too, and so have states and stores', () => {
    const inner = reasonText('PLAY_UNKNOWN', { words: '404' })
    const said = reasonIn(reasonText('ENDED_AT_STORE', { message: inner }), words)
    expect(said).toContain(reasonIn(inner, words))
    expect(reasonIn(reasonText('ENDED_BEFORE', { status: 'EXPIRED' }), words)).toContain('ended')
    expect(reasonIn(reasonText('NOT_REPLAYABLE', { store: 'IOS_STORE' }), words)).toContain('App Store')
    expect(language).not.toBe('')
  })
})

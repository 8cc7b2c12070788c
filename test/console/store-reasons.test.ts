import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { URL_FAULTS } from '../../src/base/lib/outgoing-url'
import { reasonIn } from '../../src/console/lib/reason-words'
import { texts as de } from '../../src/console/text/de/store-reasons'
import { texts as en } from '../../src/console/text/en/store-reasons'
import { texts as ja } from '../../src/console/text/ja/store-reasons'
import { texts as tr } from '../../src/console/text/tr/store-reasons'
import { readReason } from '../../src/core/reason/read'
import { filledReason, REASONS, reasonText } from '../../src/core/reason/reasons'
import { sentenceOf } from '../../src/moving/imports/verify/sentence'

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
  const others = ['Error: ENOSPC: no space left on device', 'endpoint', 'The vendor', 'Error: ', '; 3 rows wait.']
  for (const text of [
    '',
    'its owner was erased!',
    'Google Play refused',
    'x nothing was bought',
    'it was Cancelled',
    ...others,
  ])
    expect(readReason(text)).toBeNull()
})

test('a row of before is recognised: with the name of the error, without its full stop, with another first letter', () => {
  const codes = (texts: readonly string[]) => texts.map((text) => readReason(text)?.code)
  expect(
    codes([
      'Error: the bucket did not take the file in time',
      'Error: the bucket does not take the file: status 403, AccessDenied',
      'Error: endpoint must begin with https, not http',
      'The comparison was interrupted',
      'The comparison was interrupted.',
      'The vendor has not answered for a long time (HTTP 503)',
      'The App Store refused the key (401): correct the settings of the store; 1 row waits. Resume to go on.',
    ]),
  ).toEqual([
    ...(['BUCKET_SLOW', 'BUCKET_REFUSED', 'BUCKET_ADDRESS', 'COMPARE_INTERRUPTED', 'COMPARE_INTERRUPTED'] as const),
    ...(['VENDOR_SILENT', 'ROW_WAITS'] as const),
  ])
  const address = readReason('The address of the vendor must not lead to a private network.')
  expect(address).toEqual({ code: 'VENDOR_ADDRESS', params: { message: 'must not lead to a private network' } })
  const refused = readReason('Error: the bucket does not take the file: no code, Wait. Then try again.')
  expect(refused?.params).toEqual({ words: 'no code, Wait. Then try again.' })
})

test('the server makes every reason', () => {
  const source = [...new Glob('src/{base,intake,commerce,funnels,insight,moving}/**/*.ts').scanSync(ROOT)]
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
  for (const [code] of CODES) expect([code, source.includes(`reasonText('${code}'`)]).toEqual([code, true])
})

describe.each(Object.entries({ en, de, tr, ja }))('in %s', (language, { reasons, idNames, answers }) => {
  const words = {
    reasons,
    idNames,
    answers,
    statuses: { EXPIRED: 'ended' },
    storeNames: { IOS_STORE: 'App Store' } as Readonly<Record<string, string>>,
  }

  test('every reason has words of its own, with all its values', () => {
    expect(Object.keys(reasons)).toEqual(Object.keys(REASONS))
    for (const [code, text] of CODES) {
      const params = valuesOf(text)
      const said = reasonIn(filledReason(text, params), words)
      const isSame = said === filledReason(text, params)
      expect([code, isSame]).toEqual([code, language === 'en' && isSame && text.endsWith('.')])
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

  test('no English is left in a sentence that holds other sentences', () => {
    const english = /\b(the|must|answers?|has|not|waits?|it)\b/i
    const said = [
      reasonText('VENDOR_ADDRESS', { message: URL_FAULTS.insecure }),
      reasonText('BUCKET_ADDRESS', { message: reasonText('ADDRESS_WITH_PATH') }),
      reasonText('VENDOR_UNREADABLE', { count: '20', message: reasonText('VENDOR_NO_ANSWER', { answer: 'timeout' }) }),
      reasonText('HEADER_DAMAGED', { line: '1', column: '2', message: reasonText('FIELD_NUL') }),
      sentenceOf(
        [{ store: 'IOS_STORE', reason: 'REFUSED', why: reasonText('APP_STORE_REFUSED_KEY', { httpStatus: '401' }) }],
        3,
      ),
      sentenceOf([{ store: 'IOS_STORE', reason: 'UNREADABLE', why: reasonText('APP_STORE_OTHER_TRANSACTION') }], 1),
      sentenceOf([{ store: 'IOS_STORE', reason: 'AWAY', why: null }], 2),
      sentenceOf([{ store: 'PAYMENT', reason: 'CALLS', why: null }], 2),
      sentenceOf([], 2),
    ].map((text) => [text, reasonIn(text, words)] as const)
    for (const [text, own] of said) {
      expect(own).not.toBe(text)
      if (language !== 'en') expect(own).not.toMatch(english)
    }
    expect(said[6]?.[1]).toContain('App Store')
  })

  test('why a call brought no answer has words, also when its address is at fault', () => {
    const said = (answer: string) => reasonIn(reasonText('BUCKET_UNREACHABLE', { answer }), words)
    expect(said('timeout')).toContain(answers.timeout ?? '?')
    expect(said('private_address')).toContain(reasons.ADDRESS_PRIVATE_ADDRESS)
    expect(said('HTTP 503')).toContain('HTTP 503')
  })
})

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { placeOf, wordsOf } from '../../src/console/screens/overview/concerns'
import { texts as de } from '../../src/console/text/de/findings'
import { texts as en } from '../../src/console/text/en/findings'
import { texts as ja } from '../../src/console/text/ja/findings'
import { texts as tr } from '../../src/console/text/tr/findings'
import { FINDINGS, type FindingCode } from '../../src/core/finding/findings'
import { SLICES } from '../../src/slices'

// What svc doctor says about a project stands on the overview: each leads to a screen, in words of the console.

const ROOT = join(import.meta.dir, '../..')
const SHARED = 'exchange-rates'
const paths = [...new Glob('src/console/screens/*/routes.ts').scanSync(ROOT)].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\[\s*'(\/[^']+)'/g)].map(([, path = '']) => path),
)
const isScreen = (path: string) => paths.some((one) => new RegExp(`^${one.replace(/:[a-z]+/gi, '[^/]+')}$`).test(path))

test('every part that the doctor examines has its screen', () => {
  const examined = SLICES.flatMap(({ doctor }) =>
    doctor && (doctor.project || doctor.name === SHARED) ? [doctor] : [],
  )
  expect(examined.length).toBeGreaterThan(12)
  for (const { name } of examined) {
    const place = placeOf({ code: name.toUpperCase().replaceAll('-', '_'), message: '', action: null })
    expect([name, place !== null && (isScreen(place) || place.startsWith('/charts/'))]).toEqual([name, true])
  }
})

const LANGUAGES = { en, de, tr, ja }
const CODES = Object.entries(FINDINGS) as [FindingCode, readonly string[]][]
const source = [...new Glob('src/**/{doctor,health}.ts').scanSync(ROOT)]
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')

test('every finding is one that the server can make', () => {
  expect(CODES.length).toBeGreaterThan(50)
  for (const [code] of CODES) expect([code, source.includes(`'${code}'`)]).toEqual([code, true])
})

describe.each(Object.entries(LANGUAGES))('in %s', (language, texts) => {
  const concernOf = (code: FindingCode, names: readonly string[]) => ({
    ...{ code: '', message: 'The sentence of the server', action: 'What the server says' },
    finding: { code, params: Object.fromEntries(names.map((name) => [name, name === 'more' ? 0 : `<${name}>`])) },
  })
  const read = (code: FindingCode, names: readonly string[]) =>
    wordsOf(concernOf(code, names), { ...texts, storeNames: {}, reasonOf: (text) => text })

  test('every finding has its words, with all that the server names', () => {
    for (const [code, names] of CODES) {
      const text = read(code, names).join(' ')
      const isShown = names.filter((name) => name === 'more' || text.includes(`<${name}>`))
      expect([language, code, isShown]).toEqual([language, code, [...names]])
      expect(text).not.toMatch(/[{}]|The sentence of the server|What the server says/)
    }
  })

  test('no key of the project file, no variable and no command is what to do', () => {
    for (const [code, names] of CODES)
      expect(read(code, names).join(' ')).not.toMatch(/stores\.|svc |SVC_|in offerings/)
  })
})

test('no two languages have the same sentence', () => {
  for (const [code] of CODES) {
    const titles = Object.values(LANGUAGES).map(({ words }) => words[code][0])
    expect([code, new Set(titles).size]).toEqual([code, 4])
  }
})

const german = { ...de, storeNames: { IOS_STORE: 'App Store' } }
const inGerman = (code: FindingCode, params: Record<string, string | number>) =>
  wordsOf({ code: '', message: 'x', action: null, finding: { code, params } }, german)

test('values are shown by their names', () => {
  expect(inGerman('CREDENTIALS_SEALED', { section: 'payment' })[0]).toEndWith(': Zahlungsanbieter')
  expect(inGerman('PRODUCTS_MISSING', { store: 'IOS_STORE', names: 'a, b', more: 3 })[0]).toEndWith(
    '(App Store): a, b und 3 weitere',
  )
  expect(inGerman('PAYMENT_MODES_DIFFER', { keyMode: 'live', mode: 'test' })[0]).toBe(
    'Der geheime Schlüssel gehört zum Modus Live, das Konto zum Modus Test',
  )
})

test('what has no code keeps the sentence of the server', () => {
  const plain = { code: 'X', message: 'It is so.', action: 'Do it.' }
  expect(wordsOf({ ...plain, finding: null }, german)).toEqual(['It is so.', 'Do it.'])
  expect(wordsOf({ ...plain, finding: { code: 'LATER', params: {} } }, german)).toEqual(['It is so.', 'Do it.'])
})

test.each([
  ['CONNECTIONS', 'Set stores.ios.appId.', '/connections/stores/ios'],
  ['REFUND_SHIELD', 'Save stores.ios.inAppPurchaseKey.', '/connections/stores/ios'],
  ['CHECKOUT', 'Set stores.payment.', '/connections/stores/payment'],
  ['CATALOG', 'Mark one in offerings.', '/catalogue/offerings'],
  ['WEBHOOKS', 'Correct the receiver.', '/connections/webhooks'],
])('%s: %s', (code, action, place) => {
  expect(placeOf({ code, message: 'It is so.', action })).toBe(place)
})

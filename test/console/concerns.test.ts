import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { mendingOf, placeOf } from '../../src/console/screens/overview/concerns'
import { texts } from '../../src/console/text/en/overview'
import { SLICES } from '../../src/slices'

// What svc doctor says about a project stands on the overview: each leads to a screen, in words of the console.

const ROOT = join(import.meta.dir, '../..')
const SHARED = 'exchange-rates'
const paths = [...new Glob('src/console/screens/*/routes.ts').scanSync(ROOT)].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\['(\/[^']+)'/g)].map(([, path = '']) => path),
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

test('no key of the project file and no command is left as what to do', () => {
  const doctors = [...new Glob('src/**/doctor.ts').scanSync(ROOT)].filter(
    (file) => !/test-store|clickhouse|jobs|blobs|access-tokens/.test(file),
  )
  const sources = doctors.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
  const named = [...sources.matchAll(/(?:stores\.[a-zA-Z]+(?:\.[a-zA-Z]+)?|svc [a-z]+ [a-z]+|in offerings)/g)].map(
    ([name]) => name,
  )
  expect(named.length).toBeGreaterThan(9)
  for (const name of named)
    expect([name, mendingOf({ code: '', message: '', action: `Set ${name}.` }, texts.mending) === null]).toEqual([
      name,
      false,
    ])
})

test.each([
  ['CONNECTIONS', 'Set stores.ios.appId.', '/connections/stores/ios', 'Enter the Apple ID of the app.'],
  ['REFUND_SHIELD', 'Save stores.ios.inAppPurchaseKey.', '/connections/stores/ios', 'Save the In-App Purchase key.'],
  ['CHECKOUT', 'Set stores.payment.', '/connections/stores/payment', 'Connect a payment account.'],
  ['CATALOG', 'Mark one in offerings.', '/catalogue/offerings', 'Mark one as the default.'],
  ['WEBHOOKS', 'Correct the receiver.', '/connections/webhooks', null],
])('%s: %s', (code, action, place, mending) => {
  const concern = { code, message: 'It is so.', action }
  expect([placeOf(concern), mendingOf(concern, texts.mending)]).toEqual([place, mending])
})

import { expect, test } from 'bun:test'
import type { StoredAttributes } from '../../people/subscribers/tables'
import type { Store } from '../../stores/observation'
import { personGroups } from './person-groups'

const sent = (attributes: Record<string, string>): StoredAttributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, { value, source: 'sdk', updatedAt: 0 }]))

const cases: [
  name: string,
  attributes: Record<string, string>,
  store: Store,
  country: string | null,
  platform: string | null,
][] = [
  ['what the app says', { country: 'DE', platform: 'web' }, 'IOS_STORE', 'DE', 'web'],
  ['other spelling', { country: ' de', platform: 'iOS ' }, 'PAYMENT', 'DE', 'ios'],
  [
    'no country, and a platform that is none',
    { country: 'XX', platform: 'Ada’s phone' },
    'ANDROID_STORE',
    null,
    'android',
  ],
  ['nothing', {}, 'PAYMENT', null, 'web'],
  ['nothing, of a grant by hand', { platform: 'watch' }, 'MANUAL', null, null],
]
for (const [name, attributes, store, country, platform] of cases)
  test(`groups of a purchase: ${name}`, () =>
    expect(personGroups(sent(attributes), store)).toEqual({ country, platform }))

test('10,000 different texts make no more groups than one', () => {
  const groups = Array.from({ length: 10_000 }, (_, n) =>
    personGroups(sent({ country: `street ${n}`, platform: `device ${n}` }), 'IOS_STORE'),
  )
  expect(new Set(groups.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"country":null,"platform":"ios"}']))
})

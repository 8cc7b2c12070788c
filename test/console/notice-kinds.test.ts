import { expect, test } from 'bun:test'
import { NOTICE_KINDS } from '../../src/console/parts/notice-kinds'
import { SLICES } from '../../src/slices'
import { textsOf } from '../support/console-texts'

const KINDS = SLICES.flatMap(({ noticeKinds = [] }) => noticeKinds.map(({ kind }) => kind)).sort()

test('the console offers every kind of notice that the program has, each once', () => {
  expect(KINDS.length).toBeGreaterThan(5)
  expect<string[]>(NOTICE_KINDS.toSorted()).toEqual(KINDS)
})

for (const language of ['en', 'de', 'tr', 'ja'])
  test(`each of them has a name and a sentence in ${language}, and no other has`, async () => {
    const places = [...(await textsOf(language, 'account')).keys()].filter((place) => place.startsWith('kind.'))
    expect(places.sort()).toEqual(KINDS.flatMap((kind) => [`kind.${kind}.hint`, `kind.${kind}.name`]))
  })

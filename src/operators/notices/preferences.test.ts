import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  CHANNELS,
  changePreferences,
  type GivenPreferences,
  isWanted,
  NOTHING_GIVEN,
  resolvePreferences,
} from './preferences'

const given = (members: Partial<GivenPreferences>): GivenPreferences => ({ ...NOTHING_GIVEN, ...members })
const KIND = 'renewal'

const cases: [name: string, own: GivenPreferences, project: GivenPreferences, isOn: boolean][] = [
  ['nobody has chosen', NOTHING_GIVEN, NOTHING_GIVEN, true],
  ['the project has it off', NOTHING_GIVEN, given({ channels: { email: false } }), false],
  ['the person has it on', given({ channels: { email: true } }), given({ channels: { email: false } }), true],
  ['the project has the kind off', NOTHING_GIVEN, given({ kinds: { [KIND]: { email: false } } }), false],
  ['another kind is off', given({ kinds: { other: { email: false } } }), NOTHING_GIVEN, true],
  ['another channel is off', given({ channels: { inapp: false } }), NOTHING_GIVEN, true],
  [
    'the kind is on and the channel off',
    given({ kinds: { [KIND]: { email: true } }, channels: { email: false } }),
    NOTHING_GIVEN,
    false,
  ],
  [
    'the person has the channel on, the project the kind off',
    given({ channels: { email: true } }),
    given({ kinds: { [KIND]: { email: false } } }),
    false,
  ],
]
for (const [name, own, project, isOn] of cases)
  test(`${name}: ${isOn ? 'mail' : 'no mail'}`, () => expect(isWanted([own, project], KIND, 'email')).toBe(isOn))

const channels = fc.record({ email: fc.boolean(), push: fc.boolean(), inapp: fc.boolean() }, { requiredKeys: [] })
const anyGiven = fc.record({ channels, kinds: fc.dictionary(fc.constantFrom('a', 'b', KIND), channels) })

test('a change decides what it names and leaves everything else', () => {
  fc.assert(
    fc.property(anyGiven, anyGiven, (before, change) => {
      const after = changePreferences(before, change)
      for (const channel of CHANNELS) {
        expect(after.channels[channel]).toBe(change.channels[channel] ?? before.channels[channel])
        for (const kind of ['a', 'b', KIND])
          expect(after.kinds[kind]?.[channel]).toBe(change.kinds[kind]?.[channel] ?? before.kinds[kind]?.[channel])
      }
      expect(changePreferences(after, change)).toEqual(after)
      expect(Object.keys(resolvePreferences([after], ['a']).kinds)).toEqual(['a'])
    }),
  )
})

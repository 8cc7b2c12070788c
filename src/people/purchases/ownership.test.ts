import { describe, expect, test } from 'bun:test'
import { canHoldFamilyShare, decideOwnership, MAX_FAMILY_HOLDERS, type OwnershipQuestion } from './ownership'

/** A purchase of a labelled subscriber, submitted by another one without any proof. */
const question = (members: Partial<OwnershipQuestion>): OwnershipQuestion => ({
  setting: 'whenAnonymous',
  ownerIsSynthetic: false,
  ownerHasLabel: true,
  provesAccount: false,
  sameSubscriber: false,
  ...members,
})

const SETTINGS = ['whenAnonymous', 'always', 'never'] as const

describe('a receipt or a restore', () => {
  const cases: [name: string, Partial<OwnershipQuestion>, result: string, rule: string][] = [
    ['by the owner changes nothing', { sameSubscriber: true }, 'SAME', 'SAME_SUBSCRIBER'],
    [
      'by the owner changes nothing under always',
      { sameSubscriber: true, setting: 'always' },
      'SAME',
      'SAME_SUBSCRIBER',
    ],
    ['moves under always', { setting: 'always' }, 'MOVE', 'ALWAYS_MOVES'],
    ['moves from a synthetic owner', { ownerIsSynthetic: true }, 'MOVE', 'SYNTHETIC_OWNER'],
    [
      'moves from a synthetic owner under never',
      { ownerIsSynthetic: true, setting: 'never' },
      'MOVE',
      'SYNTHETIC_OWNER',
    ],
    ['moves to the proven account', { provesAccount: true }, 'MOVE', 'PROVEN_ACCOUNT'],
    ['moves to the proven account under never', { provesAccount: true, setting: 'never' }, 'MOVE', 'PROVEN_ACCOUNT'],
    ['moves from an owner without a label', { ownerHasLabel: false }, 'MOVE', 'ANONYMOUS_OWNER'],
    [
      'stays with an owner without a label under never',
      { ownerHasLabel: false, setting: 'never' },
      'IN_USE',
      'OWNED_BY_ANOTHER',
    ],
    ['stays with an owner who has a label', {}, 'IN_USE', 'OWNED_BY_ANOTHER'],
    ['stays with an owner who has a label under never', { setting: 'never' }, 'IN_USE', 'OWNED_BY_ANOTHER'],
  ]
  for (const [name, members, result, rule] of cases)
    test(name, () => {
      const { result: foundResult, rule: foundRule } = decideOwnership(question(members))
      expect([foundResult, foundRule]).toEqual([result, rule] as [typeof foundResult, typeof foundRule])
    })

  test('the first line that holds decides: always, then synthetic, then proof', () => {
    const all = question({ setting: 'always', ownerIsSynthetic: true, provesAccount: true, ownerHasLabel: false })
    expect(decideOwnership(all).rule).toBe('ALWAYS_MOVES')
    expect(decideOwnership({ ...all, setting: 'whenAnonymous' }).rule).toBe('SYNTHETIC_OWNER')
    expect(decideOwnership({ ...all, setting: 'whenAnonymous', ownerIsSynthetic: false }).rule).toBe('PROVEN_ACCOUNT')
  })

  test('no setting takes a purchase from its owner when the owner submits it', () => {
    for (const setting of SETTINGS)
      expect(decideOwnership(question({ setting, sameSubscriber: true, ownerIsSynthetic: true })).result).toBe('SAME')
  })
})

describe('a family share', () => {
  test('has room for six', () => {
    expect(canHoldFamilyShare(MAX_FAMILY_HOLDERS - 1, false)).toBe(true)
    expect(canHoldFamilyShare(MAX_FAMILY_HOLDERS, false)).toBe(false)
  })
  test('stays with those who hold it', () => expect(canHoldFamilyShare(MAX_FAMILY_HOLDERS, true)).toBe(true))
})

import { expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { AccessMap } from '../../people/subscribers/access-map'
import { holdsAsLong } from './held-access'

const NOW = Date.UTC(2026, 10, 20)

const held = (ends: Record<string, number | null>): AccessMap =>
  Object.fromEntries(
    Object.entries(ends).map(([name, end]) => [
      name,
      {
        isActive: true as const,
        expiresDate: end === null ? null : toIso(end),
        store: 'IOS_STORE' as const,
        productIdentifier: 'x',
      },
    ]),
  )

const cases: [name: string, ends: Record<string, number | null>, access: string[], end: number | null, is: boolean][] =
  [
    ['nothing', {}, ['pro'], NOW, false],
    ['another access', { coach: null }, ['pro'], NOW, false],
    ['a sooner end', { pro: NOW - 1 }, ['pro'], NOW, false],
    ['the same end', { pro: NOW }, ['pro'], NOW, true],
    ['a later end', { pro: NOW + DAY }, ['pro'], NOW, true],
    ['an end, where the grant has none', { pro: NOW + 9999 * DAY }, ['pro'], null, false],
    ['no end', { pro: null }, ['pro'], NOW, true],
    ['no end, as the grant', { pro: null }, ['pro'], null, true],
    ['one of two for as long', { pro: null, coach: NOW - 1 }, ['pro', 'coach'], NOW, false],
    ['both for as long', { pro: null, coach: NOW + 1 }, ['pro', 'coach'], NOW, true],
    ['a name that objects inherit', {}, ['constructor'], NOW, false],
  ]
for (const [name, ends, access, expiresAt, is] of cases)
  test(`who has ${name} ${is ? 'keeps' : 'gains'}`, () => {
    expect(holdsAsLong(held(ends), { access, expiresAt })).toBe(is)
  })

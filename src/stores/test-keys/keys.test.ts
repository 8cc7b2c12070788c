import { expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import { ChainVerifier } from '../ios/chain'
import { trustedRoots } from '../ios/roots'
import { makeSimulatorKeys, parseSimulatorKeys, simulatorRoot } from './keys'

const NOW = Date.UTC(2026, 10, 20, 8)

const keys = await makeSimulatorKeys(NOW)
const others = await makeSimulatorKeys(NOW)

function isChainGoodAt(at: number, environment: 'Sandbox' | 'Production' = 'Sandbox'): boolean {
  const root = simulatorRoot(keys)
  return new ChainVerifier(trustedRoots(root ? [root] : [])).verify(keys.x5c, environment, at).ok
}

test('the chain passes the checks of the App Store chain, in the sandbox only', () => {
  expect(isChainGoodAt(NOW)).toBe(true)
  expect(isChainGoodAt(NOW, 'Production')).toBe(false)
})

test('the chain holds from the day before for ten years', () => {
  expect(isChainGoodAt(NOW - DAY)).toBe(true)
  expect(isChainGoodAt(NOW - 2 * DAY)).toBe(false)
  expect(isChainGoodAt(addPeriod(NOW - DAY, 'P10Y'))).toBe(true)
  expect(isChainGoodAt(addPeriod(NOW, 'P10Y'))).toBe(false)
})

test('keys survive being kept as JSON', () => {
  expect(parseSimulatorKeys(JSON.parse(JSON.stringify(keys)))).toEqual(keys)
})

test('every set of keys has a root of its own', () => {
  expect(others.rootDer).not.toBe(keys.rootDer)
})

const [leaf, intermediate, root] = keys.x5c
const broken: [name: string, value: unknown][] = [
  ['null', null],
  ['an empty object', {}],
  ['two certificates', { ...keys, x5c: [leaf, intermediate] }],
  ['a number', { ...keys, rootDer: 7 }],
  ['another root', { ...keys, rootDer: others.rootDer }],
  ['a leaf as root', { ...keys, rootDer: leaf, x5c: [leaf, intermediate, leaf] }],
  ['a leaf that is no certificate', { ...keys, x5c: ['AAAA', intermediate, root] }],
  ["another leaf's key", { ...keys, leafKeyPkcs8: others.leafKeyPkcs8 }],
  ['a key that is none', { ...keys, leafKeyPkcs8: 'AAAA' }],
]
for (const [name, value] of broken)
  test(`${name}: no keys`, () => {
    expect(parseSimulatorKeys(value)).toBeNull()
  })

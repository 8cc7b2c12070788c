import { expect, test } from 'bun:test'
import { dependencyFault, dependencySentence } from './dependencies'

const faultOf = (reads: Record<string, string[]>) => {
  const fault = dependencyFault(new Map(Object.entries(reads)))
  return fault && `${fault.reason} ${fault.chain.join(' ')}`
}

test('flags may read each other over three levels, and never in a circle', () => {
  const cases: [reads: Record<string, string[]>, fault: string | null][] = [
    [{}, null],
    [{ a: [] }, null],
    [{ a: ['a'] }, 'CIRCLE a a'],
    [{ a: ['b'], b: ['a'] }, 'CIRCLE a b a'],
    [{ x: ['a'], a: ['b'], b: ['c'], c: ['a'] }, 'CIRCLE a b c a'],
    [{ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['gone'] }, null],
    [{ a: ['b'], b: ['c'], c: ['d'], d: [] }, null],
    [{ d: ['e'], c: ['d'], b: ['c'], a: ['b'] }, 'TOO_DEEP a b c d e'],
  ]
  expect(cases.map(([reads]) => faultOf(reads))).toEqual(cases.map(([, fault]) => fault))
  expect(dependencySentence({ reason: 'CIRCLE', chain: ['a', 'b', 'a'] })).toContain('a → b → a')
})

test('a thousand flags that read many others are checked at once', () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `f${index}`)
  const reads = new Map(keys.map((key, index) => [key, keys.slice(index + 1, index + 200)]))
  const startedAt = performance.now()
  expect(dependencyFault(reads)?.reason).toBe('TOO_DEEP')
  expect(performance.now() - startedAt).toBeLessThan(2000)
})

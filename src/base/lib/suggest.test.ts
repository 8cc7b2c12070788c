import { expect, test } from 'bun:test'
import { suggest } from './suggest'

const KNOWN = ['access', 'products', 'offerings', 'stores', 'was']

const cases: [given: string, meant: string | null][] = [
  ['acess', 'access'],
  ['Products', 'products'],
  ['product', 'products'],
  ['offerngs', 'offerings'],
  ['store', 'stores'],
  ['wsa', null],
  ['wa', 'was'],
  ['colour', null],
]
for (const [given, meant] of cases) test(`${given} means ${meant}`, () => expect(suggest(given, KNOWN)).toBe(meant))

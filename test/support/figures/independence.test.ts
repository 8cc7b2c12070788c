import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FOLDER = import.meta.dir
const TYPES = '../../../src/stores/observation'

const importsOf = (file: string): string[] =>
  [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/^(?:import|export) [^'"]*?from '([^']+)'/gms)].map(
    ([text, path = '']) => (text.startsWith('import type') ? `type ${path}` : path),
  )

/** All files that the oracle is made of, found from its imports. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const path of importsOf(file)) {
    const own = path.replace('type ', '')
    if (dirname(own) === '.') filesOf(`${own.slice(2)}.ts`, found)
  }
  return found
}

test('the oracle takes nothing from the product but the types of observations', () => {
  const files = [...filesOf('oracle.ts')]
  expect(files.length).toBeGreaterThan(8)
  expect(readdirSync(FOLDER)).toEqual(expect.arrayContaining(files))
  for (const file of files)
    for (const path of importsOf(file))
      expect([file, dirname(path.replace('type ', '')) === '.' || path === `type ${TYPES}`]).toEqual([file, true])
})

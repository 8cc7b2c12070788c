import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { UNUSED_OBJECTS } from './build-used-parts'

test('no object of the payment provider that is left out of the executable is called', () => {
  const called = [...new Glob('**/*.ts').scanSync(import.meta.dir)]
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(import.meta.dir, file), 'utf8').matchAll(/\bstripe\.(\w+)/g)])
    .map(([, name = '']) => name.charAt(0).toUpperCase() + name.slice(1))
  expect(called).toContain('CreditNotes')
  expect(called).toContain('InvoiceItems')
  expect(called.filter((name) => UNUSED_OBJECTS.split('|').includes(name))).toEqual([])
})

import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as yaml from 'yaml'
import {
  changedFile,
  type FileChange,
  type FileKind,
  objectText,
  patchOf,
  pathOf,
} from '../../src/console/lib/project-file'

const FILE = `version: 1
project:
  slug: sleep-app
  name: Sleep App

products:
  pro_monthly:
    type: SUBSCRIPTION
    displayName: |
      Pro
        yearly: no
    access: [pro]
  "a: b #":
    type: CONSUMABLE

audiences:
  Turkey:
    rules:
      country: TR
  'say "hi"':
    rules: {}

flags:
  new_checkout:
    type: BOOLEAN
    environments:
      PROD:
        enabled: true
        default: false
`

const objects: [kind: FileKind, identifier: string, text: string | null][] = [
  ['project', '', 'version: 1\nproject:\n  slug: sleep-app\n  name: Sleep App'],
  [
    'product',
    'pro_monthly',
    'version: 1\nproducts:\n  pro_monthly:\n    type: SUBSCRIPTION\n    displayName: |\n      Pro\n        yearly: no\n    access: [pro]',
  ],
  ['product', 'a: b #', 'version: 1\nproducts:\n  "a: b #":\n    type: CONSUMABLE'],
  ['audience', 'say "hi"', 'version: 1\naudiences:\n  \'say "hi"\':\n    rules: {}'],
  ['product', 'type', null],
  ['product', 'new_checkout', null],
  ['offering', 'default', null],
]
for (const [kind, identifier, text] of objects)
  test(`the text of ${kind} ${identifier}`, () => expect(objectText(FILE, kind, identifier)).toBe(text))

const changes: [name: string, kind: FileKind, identifier: string, change: FileChange, after: unknown][] = [
  [
    'a member deep inside',
    'flag',
    'new_checkout',
    { environments: { PROD: { enabled: false } } },
    { type: 'BOOLEAN', environments: { PROD: { enabled: false, default: false } } },
  ],
  ['a list', 'product', 'a: b #', { access: ['pro', 'coach'] }, { type: 'CONSUMABLE', access: ['pro', 'coach'] }],
  ['null removes', 'project', '', { name: null }, { slug: 'sleep-app' }],
  ['a new object', 'product', 'new', { type: 'CONSUMABLE' }, { type: 'CONSUMABLE' }],
]
for (const [name, kind, identifier, change, after] of changes)
  test(`the patch applies: ${name}`, () => {
    const path = pathOf(kind, identifier)
    const changed = changedFile(yaml, FILE, path, change)
    expect(yaml.parseDocument(changed).getIn(path)).toMatchObject({})
    const patch = patchOf('svc.yaml', FILE, changed) ?? ''
    expect(applied(FILE, patch)).toBe(changed)
    expect((yaml.parseDocument(changed).getIn(path) as yaml.YAMLMap).toJSON()).toEqual(after)
    expect(patch.split('\n').filter((line) => /^[-+][^-+]/.test(line)).length).toBeLessThan(4)
  })

test('no change makes no patch', () => {
  const changed = changedFile(yaml, FILE, pathOf('flag', 'new_checkout'), { type: 'BOOLEAN' })
  expect(patchOf('svc.yaml', FILE, changed)).toBeNull()
})

/** The file after `git apply`. */
function applied(file: string, patch: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-patch-'))
  try {
    writeFileSync(join(folder, 'svc.yaml'), file)
    const done = Bun.spawnSync(['git', 'apply', '-'], { cwd: folder, stdin: Buffer.from(patch) })
    if (done.exitCode !== 0) throw new Error(done.stderr.toString())
    return readFileSync(join(folder, 'svc.yaml'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as yaml from 'yaml'
import { changedFile, type FileDraft } from '../../src/console/lib/file-draft'
import { type FileKind, objectText, patchOf, SECTIONS } from '../../src/console/lib/project-file'
import { funnelsIn } from '../../src/console/screens/growth/sections'

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

const pathOf = (kind: FileKind, name: string) => (kind === 'project' ? [SECTIONS.project] : [SECTIONS[kind], name])

const changes: [name: string, kind: FileKind, identifier: string, draft: FileDraft, after: unknown][] = [
  [
    'a map is replaced whole',
    'flag',
    'new_checkout',
    { members: { type: undefined, environments: { PROD: { enabled: false } } } },
    { type: 'BOOLEAN', environments: { PROD: { enabled: false } } },
  ],
  [
    'a list',
    'product',
    'a: b #',
    { members: { type: undefined, access: ['pro', 'coach'] } },
    { type: 'CONSUMABLE', access: ['pro', 'coach'] },
  ],
  ['null leaves out', 'project', '', { members: { name: null } }, { slug: 'sleep-app' }],
  [
    'members inside of a member',
    'project',
    '',
    { members: {}, inside: { settings: { providerGraceDays: 9 } } },
    { slug: 'sleep-app', name: 'Sleep App', settings: { providerGraceDays: 9 } },
  ],
  ['a new object', 'product', 'new', { members: { type: 'CONSUMABLE' } }, { type: 'CONSUMABLE' }],
  [
    'another name',
    'audience',
    'Turkey',
    { name: 'yes', members: { rules: { country: 'TR' } } },
    { was: 'Turkey', rules: { country: 'TR' } },
  ],
]
for (const [name, kind, identifier, draft, after] of changes)
  test(`the patch applies: ${name}`, () => {
    const changed = changedFile(yaml, FILE, kind, identifier, draft)
    const patch = patchOf('svc.yaml', FILE, changed) ?? ''
    expect(applied(FILE, patch)).toBe(changed)
    const object = yaml.parseDocument(changed).getIn(pathOf(kind, draft.name ?? identifier)) as yaml.YAMLMap
    expect(object.toJSON()).toEqual(after)
    expect(patch.split('\n').filter((line) => /^[-+][^-+]/.test(line)).length).toBeLessThan(5)
  })

const USED = `version: 1
products:
  a:
    access: [pro, other]
  pro:
    access: [other]
offerings:
  one:
    isDefault: true
  pro:
    packages:
      - identifier: pro
        product: pro
experiments:
  text:
    type: FLAG
    variants:
      - value: pro
  price:
    type: OFFERING
    variants:
      - value: pro
access:
  pro:
    displayName: Pro
`

const names: [kind: FileKind, draft: FileDraft, changed: string[]][] = [
  ['access', { name: 'vip', members: {} }, ['    access: [vip, other]', '  vip:', '    was: pro']],
  ['product', { name: 'vip', members: {} }, ['  vip:', '    was: pro', '        product: vip']],
  ['offering', { name: 'vip', members: {} }, ['  vip:', '    was: pro', '      - value: vip']],
]
for (const [kind, draft, lines] of names)
  test(`another name of the ${kind} is also in the objects that name it, and nowhere else`, () => {
    const patch = patchOf('svc.yaml', USED, changedFile(yaml, USED, kind, 'pro', draft)) ?? ''
    const added = patch.split('\n').filter((line) => /^\+[^+]/.test(line))
    expect(added).toEqual(lines.map((line) => `+${line}`))
  })

test('a member that only one object has leaves the others', () => {
  const changed = changedFile(yaml, USED, 'offering', 'pro', { members: { isDefault: true }, single: 'isDefault' })
  expect(yaml.parse(changed).offerings).toMatchObject({ pro: { isDefault: true } })
  expect('isDefault' in (yaml.parse(changed).offerings.one ?? {})).toBe(false)
})

test('no change makes no patch', () => {
  const changed = changedFile(yaml, FILE, 'flag', 'new_checkout', { members: { type: 'BOOLEAN' } })
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
test('one object is cut out of a project file', () => {
  const yaml = `version: 1

audiences:
  "Trial: soon":
    rules:
      svc.isTrial: "true"
  Turkey:
    rules:
      country: TR

funnels:
  onboarding:
    # fnl_1
    name: Onboarding
    settings:
      name: other
`
  expect(funnelsIn(yaml)).toEqual([{ id: 'fnl_1', slug: 'onboarding', name: 'Onboarding' }])
})

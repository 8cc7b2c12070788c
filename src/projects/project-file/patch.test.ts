import { describe, expect, test } from 'bun:test'
import { SECTIONS } from '../../../test/support/sections'
import { filedSections, patchedFile } from './patch'
import { buildTree, locate, type Node } from './tree'

const CONTENT = {
  version: 1,
  project: { slug: 'app', name: 'App', settings: { a: 1, b: 2 } },
  access: { pro: { displayName: 'Pro', metadata: { x: 1, y: [1, { z: 2 }] } }, coach: { displayName: 'Coach' } },
  flags: { f: { type: 'BOOLEAN', environments: { DEV: { default: true }, PROD: { default: false } } } },
}

function plain(node: Node): unknown {
  if (node.kind === 'list') return node.items.map((item) => plain(item.node))
  if (node.kind === 'scalar') return node.value
  return Object.fromEntries([...node.members].map(([name, member]) => [name, plain(member.node)]))
}

const patched = (patch: string) => {
  const { tree, removes } = patchedFile(buildTree(patch), CONTENT, SECTIONS)
  return { file: plain(tree.root), removes, problems: tree.problems.map(({ line, path }) => [line, path]) }
}
const fileOf = (patch: string) => patched(patch).file

describe('a patch of the project file', () => {
  const cases: [name: string, patch: string, file: object][] = [
    ['without sections names none', '{}', {}],
    [
      'has of a section the objects that it names, each whole',
      'access: { coach: { displayName: C } }',
      { access: { coach: { displayName: 'C' } } },
    ],
    [
      'leaves other members as they are, at any depth',
      'access: { pro: { metadata: { x: 2 } } }',
      { access: { pro: { displayName: 'Pro', metadata: { x: 2, y: [1, { z: 2 }] } } } },
    ],
    [
      'leaves the other environments of a flag',
      'flags: { f: { environments: { PROD: { default: true } } } }',
      { flags: { f: { type: 'BOOLEAN', environments: { DEV: { default: true }, PROD: { default: true } } } } },
    ],
    [
      'replaces a list',
      'access: { pro: { metadata: { y: [] } } }',
      { access: { pro: { displayName: 'Pro', metadata: { x: 1, y: [] } } } },
    ],
    ['adds an object', 'access: { vip: { displayName: V } }', { access: { vip: { displayName: 'V' } } }],
    [
      'adds a section',
      'audiences: { Turks: { rules: { country: TR } } }',
      { audiences: { Turks: { rules: { country: 'TR' } } } },
    ],
    [
      'has a section that is one object whole',
      'project: { settings: { a: 3 } }',
      { project: { slug: 'app', name: 'App', settings: { a: 3, b: 2 } } },
    ],
    [
      'begins a renamed object as it was',
      'access: { gold: { was: pro, displayName: Gold } }',
      { access: { gold: { was: 'pro', displayName: 'Gold', metadata: { x: 1, y: [1, { z: 2 }] } } } },
    ],
  ]
  test.each(cases)('%s', (_name, patch, file) => {
    expect(patched(patch)).toEqual({ file: { version: 1, ...file }, removes: false, problems: [] })
  })

  test('that removes has the other objects of its sections', () => {
    expect(patched('access: { pro: null }')).toEqual({
      file: { version: 1, access: { coach: { displayName: 'Coach' } } },
      removes: true,
      problems: [],
    })
    expect(fileOf('flags: { f: { environments: { DEV: null } } }')).toEqual({
      version: 1,
      flags: { f: { type: 'BOOLEAN', environments: { PROD: { default: false } } } },
    })
    expect(fileOf('access: { gold: { was: pro, metadata: null } }')).toEqual({
      version: 1,
      access: { coach: { displayName: 'Coach' }, gold: { was: 'pro', displayName: 'Pro' } },
    })
  })

  test('removes no section at once', () => {
    expect(patched('access:\n  pro: {}\nflags: null').problems).toEqual([[3, 'flags']])
  })

  test('is refused where a null would be lost in a value, and removes what is there', () => {
    const added =
      'access:\n  pro:\n    metadata: { y: [null, { z: null }] }\n  new:\n    displayName: N\n    metadata:\n      a: null'
    expect(patched(added).problems).toEqual([[7, 'access.new.metadata.a']])
    expect(patched('access: { pro: { metadata: { q: { r: null } } } }').problems).toEqual([
      [1, 'access.pro.metadata.q.r'],
    ])
    expect(patched('audiences: { A: { rules: { country: null } } }').problems).toEqual([
      [1, 'audiences.A.rules.country'],
    ])
    expect(patched('flags: { f: { environments: { PROD: { default: { a: null } } } } }').problems).toHaveLength(1)
    const fine = ['access: { pro: { metadata: { x: null } } }', 'access: { pro: { description: null }, none: null }']
    for (const text of fine) expect(patched(text).problems).toEqual([])
    expect(fileOf('access: { pro: { metadata: { y: [null] } } }')).toMatchObject({
      access: { pro: { metadata: { x: 1, y: [null] } } },
    })
  })

  test('that is no mapping stays what it is', () => {
    for (const text of ['5', '[]', 'access: 5', 'access: []']) expect(patched(text).removes).toBe(false)
    expect(fileOf('access: 5')).toEqual({ version: 1, access: 5 })
    expect(fileOf('[1]')).toEqual([1])
  })

  test('keeps another version, to be refused', () => {
    expect(fileOf('version: 2')).toEqual({ version: 2 })
  })

  test('takes names of the language for names', () => {
    const { file } = patched('{"access": {"__proto__": {"displayName": "P"}, "constructor": {"displayName": "C"}}}')
    expect(JSON.stringify(file)).toBe(
      '{"version":1,"access":{"__proto__":{"displayName":"P"},"constructor":{"displayName":"C"}}}',
    )
  })

  test('gives what comes from the project the place of the part in which it is', () => {
    const { tree } = patchedFile(buildTree('\naccess:\n  pro:\n    metadata: { x: 5 }'), CONTENT, SECTIONS)
    expect(locate(tree.root, ['access', 'pro', 'displayName'])).toEqual({ line: 3, column: 3 })
    expect(locate(tree.root, ['access', 'pro', 'metadata', 'y', 1, 'z'])).toEqual({ line: 4, column: 5 })
    expect(locate(tree.root, ['access', 'pro', 'metadata', 'x'])).toEqual({ line: 4, column: 17 })
  })

  test('its sections can be had as the project has them', () => {
    const { tree } = patchedFile(buildTree('access: { pro: null }\naudiences: { A: {} }'), CONTENT, SECTIONS)
    expect(plain(filedSections(tree, CONTENT).root)).toEqual({ version: 1, access: CONTENT.access })
  })
})

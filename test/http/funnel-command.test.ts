import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEMPLATE_IDS } from '../../src/core/funnel/templates/list'
import { funnelCommand } from '../../src/funnels/publication/command'
import { type Stage, stage } from '../support/cast'
import { atEnd } from '../support/cleanup'
import { runBeside } from '../support/command'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let folder: string
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  folder = mkdtempSync(join(tmpdir(), 'svc-funnels-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
})
afterAll(() => s.close())

/** A file without a table. */
const EMPTY = join(import.meta.dir, 'funnel-command.test.ts')

const at = (name: string) => join(folder, name)
const funnel = (...args: string[]) => runBeside(s, funnelCommand, ...args, '--project', s.project.id)
const json = ({ out }: { out: string }) => JSON.parse(out)

describe('svc funnel', () => {
  test('names the templates, and begins a funnel from each', async () => {
    const { items } = json(await funnel('templates', '--json'))
    expect(items.map(({ id }: { id: string }) => id)).toEqual([...TEMPLATE_IDS])
    expect((await funnel('templates')).out).toContain('Quiz')
    for (const { id } of items) {
      const made = json(await funnel('new', `from_${id}`, '--template', id, '--json'))
      expect(made).toMatchObject({ slug: `from_${id}`, name: `from_${id}`, status: 'DRAFT' })
    }
    expect((await funnel('new', 'plain', '--name', 'Without a page')).out).toContain('Without a page')
    const listed = json(await funnel('list', '--json')).items
    expect(listed).toHaveLength(items.length + 1)
    expect(listed.map(({ name }: { name: string }) => name)).toContain('Without a page')
    expect(json(await funnel('list', '--limit', '2', '--json'))).toMatchObject({ hasMore: true })
  })

  test.each(['csv', 'xliff'])('gives the texts as %s and takes them back, by slug and by id', async (format) => {
    const slug = `texts_${format}`
    const { id } = json(await funnel('new', slug, '--template', 'lead', '--json'))
    const file = at(`${slug}.${format}`)
    const before = await dataOf(dev.get(`/funnels/${id}`))
    const german = before.draft.pages[0].title.de ?? before.draft.pages[0].blocks[0].props.text.de
    expect((await funnel('texts', 'export', slug, '-o', file)).out).toContain(file)
    const text = readFileSync(file, 'utf8')
    expect((await funnel('texts', 'export', id, '--format', format)).out.trim()).toBe(text.trim())
    expect(text).toContain(german)
    expect((await funnel('texts', 'import', slug, file)).out).toContain('0 texts')
    writeFileSync(file, text.replaceAll(german, 'Ganz neu'))
    const { changed, unknown } = json(await funnel('texts', 'import', id, file, '--json'))
    expect([changed > 0, unknown]).toEqual([true, []])
    expect(JSON.stringify((await dataOf(dev.get(`/funnels/${id}`))).draft)).toContain('Ganz neu')
  })

  test('says which keys of a file name no text', async () => {
    await funnel('new', 'keys', '--template', 'lead')
    writeFileSync(at('keys.csv'), 'key,en\nnothing.here,Hello\n')
    expect((await funnel('texts', 'import', 'keys', at('keys.csv'))).out).toContain('nothing.here')
  })

  test.each([
    [['new', 'from_quiz', '--template', 'quiz'], 'IDENTIFIER_TAKEN'],
    [['new', 'other', '--template', 'none'], 'UNKNOWN_REFERENCES'],
    [['texts', 'export', 'gone', '-o', '/dev/null'], 'NOT_FOUND'],
    [['texts', 'import', 'keys', '/none.csv'], 'NOT_FOUND'],
    [['texts', 'import', 'keys', EMPTY], 'VALIDATION_ERROR'],
  ])('%p is refused', async (args, code) => {
    const { code: ended, err } = await funnel(...args)
    const said = args[1] === 'export' ? err : json(await funnel(...args, '--json')).error.code
    expect(ended).toBe(1)
    expect(said).toContain(args[1] === 'export' ? 'There is no funnel "gone"' : code)
  })

  test.each([
    [[]],
    [['new']],
    [['texts']],
    [['texts', 'export']],
    [['texts', 'import', 'keys']],
    [['texts', 'export', 'keys', '--format', 'pdf']],
    [['texts', 'export', 'keys', '--json']],
    [['templates', 'quiz']],
  ])('%p is misused', async (args) => {
    expect((await funnel(...args)).code).toBe(2)
  })
})

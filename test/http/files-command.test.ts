import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assetCommand } from '../../src/funnels/assets/command'
import { fontCommand } from '../../src/funnels/fonts/command'
import { type Stage, stage } from '../support/cast'
import { atEnd } from '../support/cleanup'
import { runBeside } from '../support/command'
import { fontFiles, load, lottie, mp4, png } from '../support/files'

let s: Stage
let folder: string
beforeAll(async () => {
  s = await stage()
  folder = mkdtempSync(join(tmpdir(), 'svc-files-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'hills.png'), await png(400, 300))
  writeFileSync(join(folder, 'walk.mp4'), mp4(64, 36))
  writeFileSync(join(folder, 'breath.json'), lottie())
  writeFileSync(join(folder, 'page.html'), '<!doctype html>')
  writeFileSync(join(folder, 'Geist.woff2'), (await fontFiles()).woff2)
})
afterAll(() => s.close())

const at = (name: string) => join(folder, name)
const asset = (...args: string[]) => runBeside(s, assetCommand, ...args, '--project', s.project.id)
const font = (...args: string[]) => runBeside(s, fontCommand, ...args, '--project', s.project.id)
const json = ({ out }: { out: string }) => JSON.parse(out)

describe('svc asset', () => {
  test.each([
    ['hills.png', 'image', 'hills.png'],
    ['walk.mp4', 'video', 'walk.mp4'],
    ['breath.json', 'lottie', 'breath.json'],
  ])('sends %s as what its bytes say', async (file, kind, name) => {
    const ran = await asset('upload', at(file), '--json')
    expect([ran.code, json(ran).kind, json(ran).name]).toEqual([0, kind, name])
    expect((await load(s, json(ran).url)).status).toBe(200)
  })

  test('lists and deletes them', async () => {
    const { items } = json(await asset('list', '--json'))
    const names = items.map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['breath.json', 'hills.png', 'walk.mp4'])
    const made = items.find(({ kind }: { kind: string }) => kind === 'lottie')
    expect((await asset('list')).out).toContain('200x100')
    expect(json(await asset('list', '--limit', '1', '--json')).items).toHaveLength(1)
    expect((await asset('delete', made.id)).code).toBe(0)
    expect(json(await asset('list', '--json')).items).toHaveLength(2)
    const gone = await asset('delete', made.id, '--json')
    expect([gone.code, json(gone).error.code]).toEqual([1, 'NOT_FOUND'])
  })

  test.each([
    [['upload', 'none.png'], 1, 'NOT_FOUND'],
    [['upload', 'page.html'], 1, 'ASSET_FORMAT_UNSUPPORTED'],
    [['upload', 'hills.png', '--name', 'a/b'], 1, 'ASSET_INVALID_NAME'],
  ])('%p is refused', async ([action = '', file = '', ...more], code, error) => {
    const ran = await asset(action, at(file), ...more, '--json')
    expect([ran.code, json(ran).error.code]).toEqual([code, error])
  })

  test.each([[['upload']], [['show', 'x']], [['delete']], [['list', 'x']], [['upload', 'a', 'b']]])(
    '%p is misused',
    async (args) => {
      expect((await asset(...args)).code).toBe(2)
    },
  )
})

describe('svc font', () => {
  test('makes the family with its first face, and deletes one face or all', async () => {
    const face = json(await font('add', 'Geist', at('Geist.woff2'), '--weight', '400', '--json'))
    expect(face).toMatchObject({ weight: 400, style: 'normal', format: 'woff2' })
    await font('add', 'Geist', at('Geist.woff2'), '--weight', '400', '--style', 'italic')
    const { items } = json(await font('list', '--json'))
    expect(items).toHaveLength(1)
    expect(items[0].faces).toHaveLength(2)
    expect((await font('delete', 'Geist', face.id)).code).toBe(0)
    expect((await font('delete', items[0].id)).code).toBe(0)
    expect((await font('list')).out.trim()).toBe('There is no font.')
  })

  test.each([
    [['add', 'Geist', 'none.ttf', '--weight', '400'], 1, 'NOT_FOUND'],
    [['add', 'Geist', 'hills.png', '--weight', '400'], 1, 'FONT_FORMAT_UNSUPPORTED'],
    [['delete', 'Nothing', ''], 1, 'FONT_FAMILY_NOT_FOUND'],
  ])('%p is refused', async ([action = '', family = '', file = '', ...more], code, error) => {
    const ran = await font(action, family, ...(file === '' ? [] : [at(file)]), ...more, '--json')
    expect([ran.code, json(ran).error.code]).toEqual([code, error])
  })

  test.each([
    [['add', 'Geist', 'x.ttf']],
    [['add', 'Geist', 'x.ttf', '--weight', 'bold']],
    [['add', 'Geist', 'x.ttf', '--weight', '400', '--style', 'oblique']],
    [['add', 'Geist']],
    [['list', 'x']],
    [['delete']],
  ])('%p is misused', async (args) => {
    expect((await font(...args)).code).toBe(2)
  })
})

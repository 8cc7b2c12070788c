import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eraseAgain, erasedList, eraseKnown } from '../../src/moving/erasure/again'
import { contentOf, envOf, svc } from '../support/backup'
import { findTexts } from '../support/byte-search'
import { TEST_KEY, type TestContext, testContext } from '../support/context'
import { erase, textsOf } from '../support/erased'
import {
  type EverywherePerson,
  type EverywhereStage,
  everywhereStage,
  personEverywhere,
} from '../support/person-everywhere'
import { tempFolder } from '../support/process'

const temp = tempFolder()
let s: EverywhereStage
let person: EverywherePerson
/** Before the erasure, and after it. */
let backups: [string, string]

beforeAll(async () => {
  s = await everywhereStage()
  person = await personEverywhere(s, 'zanzibar')
  const before = await backUp('before.gz')
  await erase(s, person.id)
  await s.post('/v1/identify', { deviceKey: 'svc_late', appUserId: 'late-label' })
  const { id } = (await s.get('/v1/me', 'svc_late')).body.data.subscriber
  await erase(s, id)
  backups = [before, await backUp('after.gz')]
})
afterAll(async () => {
  await s.close()
  temp.remove()
})

async function backUp(name: string): Promise<string> {
  const path = join(temp.path, name)
  const { code, err } = await svc(['backup', path], envOf(s.ctx))
  if (code !== 0) throw new Error(err)
  return path
}

const envAt = (folder: string, key: string | null = TEST_KEY) => ({
  ...{ SVC_DATABASE_URL: `file:${folder}/svc.db`, SVC_DATA_DIR: folder },
  ...(key !== null && { SVC_MASTER_KEY: key }),
})

/** A folder with the list of the stage. */
function folderWithList(name: string): string {
  const folder = join(temp.path, name)
  mkdirSync(folder, { recursive: true })
  cpSync(erasedList(s.ctx.config).path, erasedList({ dataDir: folder }).path)
  return folder
}

async function opened(folder: string, work: (ctx: TestContext) => Promise<void>): Promise<void> {
  const ctx = await testContext({ env: envAt(folder) })
  try {
    await work(ctx)
  } finally {
    await ctx.close()
  }
}

const liveRows = async (ctx: TestContext) =>
  (await ctx.db.select().from(ctx.tables.subscribers)).filter(({ erasedAt, mergedInto }) => !erasedAt && !mergedInto)

describe('the list of erased people', () => {
  test('names nobody, and only its owner may read it', () => {
    const { path } = erasedList(s.ctx.config)
    const text = readFileSync(path, 'utf8')
    for (const secret of [person.tag, ...person.ids, 'late', person.customerId]) expect(text).not.toContain(secret)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('is in the header of every later backup', () => {
    const lines = erasedList(s.ctx.config).read()
    expect(lines.length).toBeGreaterThan(5)
    expect(contentOf(backups[1]).header.erased).toEqual(lines)
    expect(contentOf(backups[0]).header.erased).toEqual([])
  })

  test('survives an unfinished line, and takes no line twice', () => {
    const list = erasedList({ dataDir: folderWithList('torn') })
    const before = list.read()
    appendFileSync(list.path, '{"key":"half')
    list.add([{ ...before[0], hash: 'new' } as (typeof before)[0]])
    list.add(before)
    expect(list.read().map(({ hash }) => hash)).toEqual([...before.map(({ hash }) => hash), 'new'])
  })
})

describe('an older backup', () => {
  test('that is restored beside the list has nobody who was erased', async () => {
    const folder = folderWithList('beside')
    const ran = await svc(['restore', backups[0], '--json'], envAt(folder))
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(ran.out)).toMatchObject({ erased: 1 })
    await opened(folder, async (ctx) => {
      expect(await findTexts(ctx, textsOf(person))).toEqual([])
      expect(await liveRows(ctx)).toEqual([])
    })
  })

  test('that is restored without the master key waits for the first start', async () => {
    const folder = folderWithList('keyless')
    const ran = await svc(['restore', backups[0], '--json'], envAt(folder, null))
    expect(JSON.parse(ran.out)).toMatchObject({ erased: 0 })
    await opened(folder, async (ctx) => {
      expect(await findTexts(ctx, textsOf(person))).not.toEqual([])
      await eraseKnown(ctx)
      expect(await liveRows(ctx)).toEqual([]) // Before the first call; the files follow while the server runs.
      expect(await eraseAgain(ctx)).toBe(0)
      expect(await findTexts(ctx, textsOf(person))).toEqual([])
      expect(await eraseAgain(ctx)).toBe(0)
    })
  })

  test('answers for people whom it never knew, because the list does', async () => {
    const folder = folderWithList('unknown')
    await svc(['restore', backups[0]], envAt(folder))
    await opened(folder, async (ctx) => {
      const [known] = await ctx.db.select().from(ctx.tables.projects)
      const found = ctx.state.erasedKeys.hash(known?.id ?? '', { kind: 'LABEL', value: 'late-label' })
      const rows = await ctx.db.select().from(ctx.tables.erasedKeys)
      expect(rows.map(({ hash }) => hash)).toContain(found)
    })
  })

  test('with the list of another master key erases nobody', async () => {
    const folder = folderWithList('other-key')
    const env = envAt(folder, Buffer.alloc(32, 9).toString('base64'))
    expect(JSON.parse((await svc(['restore', backups[0], '--json'], env)).out)).toMatchObject({ erased: 0 })
  })
})

test('a later backup brings nobody back, and gives a deployment without a list its list', async () => {
  const folder = join(temp.path, 'later')
  const ran = await svc(['restore', backups[1], '--json'], envAt(folder))
  expect(JSON.parse(ran.out)).toMatchObject({ erased: 0 })
  expect(erasedList({ dataDir: folder }).read()).toEqual(erasedList(s.ctx.config).read())
  await opened(folder, async (ctx) => expect(await findTexts(ctx, textsOf(person))).toEqual([]))
})

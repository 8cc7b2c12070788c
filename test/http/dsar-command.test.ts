import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { type Stage, stage } from '../support/cast'
import { openRequest, unzip, work } from '../support/data-requests'
import { freshFolder } from '../support/exports'
import { identify, rowOf } from '../support/facts'
import { auditRows } from '../support/operator'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'

let s: Stage
let server: RemoteServer
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_RATE_KEY: '0' } })
  server = listen(s)
})
afterAll(async () => {
  await server.close()
  await s.close()
})

interface Terminal {
  answer: boolean
  asked: string[]
  typed?: string
}

let count = 0
async function someone(): Promise<string> {
  const device = `svc_person_${++count}`
  await s.get('/v1/me', device)
  return device
}

const here = (args: string[], terminal?: Terminal) =>
  runWith(s, ['dsar', ...args, '--project', s.project.id], { env: machineEnv(s), terminal })

/** Over HTTP, while a worker of the server does what is asked. */
async function there(args: string[], role: 'ADMIN' | 'DEVELOPER' = 'ADMIN', terminal?: Terminal) {
  let isOver = false
  const working = (async () => {
    for (; !isOver; await Bun.sleep(50)) await work(s)
  })()
  try {
    const env = { SVC_URL: server.url, SVC_TOKEN: server.tokenOf(role) }
    return await runWith(s, ['dsar', ...args, '--project', s.project.id], { env, terminal })
  } finally {
    isOver = true
    await working // Work that continues after the test would use a closed database.
  }
}

const places = [
  ['on this machine', here],
  ['on a server', there],
] as const

/** Whether the row with this id is erased. */
async function isErased(id: string): Promise<boolean> {
  const { subscribers: t } = s.ctx.tables
  const [row] = await s.ctx.db.select().from(t).where(eq(t.id, id))
  if (!row) throw new Error('the row is gone')
  return row.erasedAt !== null
}

const requests = () => s.ctx.db.select().from(s.ctx.tables.dataRequests)

describe.each(places)('%s', (_, run) => {
  test('export waits and writes the zip, for the user only', async () => {
    const device = await someone()
    await identify(s, device, `label ${device}`)
    const path = join(freshFolder(), 'person.zip')
    const { code, out, err } = await run(['export', '--person', `label ${device}`, '-o', path])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(path)
    const files = unzip(readFileSync(path))
    expect(files.get('subscriber.json')).toContain(device)
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('erase prints the certificate, and list says what was asked', async () => {
    const device = await someone()
    const { id } = await rowOf(s, device)
    const { code, out, err } = await run(['erase', '--person', device, '--yes', '--requested-by', 'a letter'])
    expect([code, err]).toEqual([0, ''])
    expect(out.length).toBeGreaterThan(5)
    expect(await isErased(id)).toBe(true)
    const listed = await run(['list'])
    expect(listed.code).toBe(0)
    expect(listed.out).toContain('ERASURE')
    const { requests: items } = JSON.parse((await run(['list', '--json'])).out)
    const own = items.filter(({ subscriberId }: { subscriberId: string }) => subscriberId === id)
    expect(own).toMatchObject([{ type: 'ERASURE', status: 'COMPLETED', requestedBy: 'a letter' }])
  })

  test('--json names the request and the file', async () => {
    const path = join(freshFolder(), 'person.zip')
    const { out } = await run(['export', '--person', await someone(), '-o', path, '--json'])
    expect(JSON.parse(out)).toMatchObject({ request: { type: 'EXPORT', status: 'COMPLETED' }, file: path })
    const erased = await run(['erase', '--person', await someone(), '--yes', '--json'])
    expect(JSON.parse(erased.out)).toMatchObject({ request: { type: 'ERASURE' }, certificate: expect.any(String) })
  })

  test('an erasure asks for the reference, and erases nobody when it is typed wrongly', async () => {
    const device = await someone()
    const { id } = await rowOf(s, device)
    const before = await requests()
    const terminal: Terminal = { answer: true, asked: [], typed: 'yes' }
    const refused = await (run === here
      ? here(['erase', '--person', device], terminal)
      : there(['erase', '--person', device], 'ADMIN', terminal))
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Nobody was erased')])
    expect(terminal.asked).toEqual([expect.stringContaining(device)])
    const mute = await run(['erase', '--person', device])
    expect([mute.code, mute.err]).toEqual([2, expect.stringContaining('--yes')])
    expect(await requests()).toEqual(before)
    expect(await isErased(id)).toBe(false)
    const typed: Terminal = { answer: false, asked: [], typed: ` ${device} ` }
    const done = await (run === here
      ? here(['erase', '--person', device], typed)
      : there(['erase', '--person', device], 'ADMIN', typed))
    expect(done.code).toBe(0)
    expect(await isErased(id)).toBe(true)
  })

  test('nobody is found by a wrong reference', async () => {
    const before = await requests()
    const { code, err } = await run(['export', '--person', 'svc_nobody'])
    expect([code, err]).toEqual([1, expect.stringContaining('subscriber "svc_nobody"')])
    expect(await requests()).toEqual(before)
  })
})

const wrong: [name: string, args: string[], told: string][] = [
  ['no action', [], 'export, erase, list'],
  ['an unknown action', ['forget'], 'export, erase, list'],
  ['no person', ['export'], '--person'],
  ['an empty person', ['erase', '--person', '', '--yes'], '--person'],
  ['--yes where nothing is asked', ['export', '--person', 'x', '--yes'], '--yes'],
]
test.each(wrong)('%s is wrong usage', async (_, args, told) => {
  const { code, err } = await here(args)
  expect([code, err]).toEqual([2, expect.stringContaining(told)])
})

test('a member without the right is refused', async () => {
  const before = await requests()
  const device = await someone()
  const { code, err } = await there(['export', '--person', device], 'DEVELOPER')
  expect([code, err]).toEqual([1, expect.stringContaining('capability')])
  expect(await requests()).toEqual(before)
})

test('an export that was opened before is the one that is waited for', async () => {
  const device = await someone()
  const { body } = await openRequest(s, 'export', device)
  const path = join(freshFolder(), 'x.zip')
  const { out } = await here(['export', '--person', device, '-o', path, '--json'])
  expect(JSON.parse(out).request.id).toBe(body.data.request.id)
})

test('the export of an erased person fails with the reason, and writes no file', async () => {
  const device = await someone()
  const { id } = await rowOf(s, device)
  await here(['erase', '--person', device, '--yes'])
  const path = join(freshFolder(), 'x.zip')
  const { code, err } = await here(['export', '--person', id, '-o', path])
  expect([code, err]).toEqual([1, expect.stringContaining('was erased')])
  expect(existsSync(path)).toBe(false)
})

test('the audit log says that the command line did it', async () => {
  await here(['erase', '--person', await someone(), '--yes'])
  const row = (await auditRows(s)).findLast(({ action }) => action === 'dataRequest.erasure')
  expect(row).toMatchObject({ actor: { kind: 'CLI', id: null }, target: { type: 'dataRequest' } })
})

test('a folder that cannot be written is one sentence', async () => {
  const { code, err } = await here(['export', '--person', await someone(), '-o', '/nowhere/x.zip'])
  expect([code, err]).toEqual([1, expect.stringContaining('/nowhere/x.zip cannot be written')])
})

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderBlobs } from '../../src/base/blobs/folder-blobs'
import type { Io, Program } from '../../src/base/cli/command'
import { DAY } from '../../src/base/lib/clock'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import { work } from '../support/accounts'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { atEnd } from '../support/cleanup'
import { exported } from '../support/exports'
import { type FakeSteps, fakeSteps, importSample, rowsOf } from '../support/import-stage'
import { listen, machineEnv, type RemoteServer } from '../support/remote-command'

let s: Stage
let steps: FakeSteps
let folder: string
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  steps = fakeSteps()
  folder = mkdtempSync(join(tmpdir(), 'svc-test-import-'))
  const made = folder
  atEnd(() => rmSync(made, { recursive: true, force: true }))
})
afterEach(() => s.close())

interface Options {
  env?: Record<string, string>
  /** What the person at the terminal answers; absent = no terminal. */
  answer?: boolean
  stopped?: Promise<void>
}

/** As another process on this machine, whose work behind the reading of rows is the fake one. */
async function svc(args: readonly string[], { env = machineEnv(s), answer, stopped }: Options = {}) {
  const ran = { out: [] as string[], err: [] as string[], progress: [] as string[] }
  const program: Program = {
    ...PROGRAM,
    async createContext(...given) {
      const ctx = await PROGRAM.createContext(...given)
      ctx.state.importSteps = steps
      return ctx
    },
  }
  const io: Io = {
    out: (line) => void ran.out.push(line),
    err: (line) => void ran.err.push(line),
    isTerminal: answer !== undefined,
    env,
    clock: s.ctx.clock,
    confirm: async () => answer ?? false,
    progress: (line) => void (line !== null && ran.progress.push(line)),
    program,
    stopped: stopped ?? new Promise(() => {}),
  }
  const project = ['--project', s.project.id]
  const code = await runCommandLine(['import', ...args, ...(env.SVC_DATA_DIR ? project : [])], io)
  return { code, out: ran.out.join('\n'), err: ran.err.join('\n'), progress: ran.progress }
}

const quiet = (): Omit<Io, 'env' | 'clock' | 'program'> => ({
  ...{ out: () => {}, err: () => {}, isTerminal: false, confirm: async () => false, progress: () => {} },
  stopped: new Promise(() => {}),
})

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const listed = async () => JSON.parse((await svc(['list', '--json'])).out).imports

describe('on the database of this machine', () => {
  test('a dry run says what is wrong, writes nothing, and exits with 3', async () => {
    const { code, out } = await svc([importSample('revenuecat_v5.csv'), '--dry-run'])
    expect(code).toBe(3)
    expect(out).toContain(
      '61 rows, 54 can be read (5 of them are left out, as they are of the sandbox or of nobody), 7 cannot.',
    )
    expect(out).toContain('line 59, store: "amazon" has no entry in the value map')
    expect(out).toContain('coins_100 (ios_store): 3 rows')
    expect(steps.batches).toEqual([])
  })

  test('a dry run without faults exits with 0', async () => {
    expect((await svc([file('good.csv', rowsOf(5)), '--dry-run'])).code).toBe(0)
  })

  test('a commit writes each file in turn, and --json is one object', async () => {
    const files = [file('a.csv', rowsOf(3)), file('b.csv', rowsOf(4))]
    const { code, out } = await svc([...files, '--commit', '--json'])
    expect(code).toBe(0)
    const { imports } = JSON.parse(out)
    const shown = imports.map((job: { fileName: string; status: string; counters: { purchasesNew: number } }) => [
      ...[job.fileName, job.status, job.counters.purchasesNew],
    ])
    expect(shown).toEqual([
      ['a.csv', 'COMPLETED', 3],
      ['b.csv', 'COMPLETED', 4],
    ])
    expect(steps.batches.map(({ lines }) => lines.length)).toEqual([3, 4])
  })

  test('undo takes back what was written, once', async () => {
    const [{ id }] = JSON.parse((await svc([file('a.csv', rowsOf(3)), '--commit', '--json'])).out).imports
    const undone = await svc(['undo', id, '--yes'])
    expect([undone.code, undone.out]).toEqual([
      0,
      expect.stringContaining('1 purchase and 0 people removed, 0 purchases kept'),
    ])
    expect((await svc(['undo', id, '--yes'])).code).toBe(1)
  })

  test('undo asks on a terminal, and without one needs --yes', async () => {
    const [{ id }] = JSON.parse((await svc([file('a.csv', rowsOf(3)), '--commit', '--json'])).out).imports
    for (const args of [
      ['undo', id],
      ['undo', id, '--json'],
    ]) {
      const refused = await svc(args)
      expect([refused.code, refused.err]).toEqual([
        2,
        expect.stringContaining('import undo cannot ask here: add --yes'),
      ])
    }
    const declined = await svc(['undo', id], { answer: false })
    expect([declined.code, declined.out, declined.err]).toEqual([1, '', 'Nothing was taken back.'])
    expect(await listed()).toMatchObject([{ id, status: 'COMPLETED', undoneAt: null }])
    expect((await svc(['undo', id], { answer: true })).code).toBe(0)
  })

  test('a file without the needed columns is refused with what it lacks, what it has, and what to do', async () => {
    const refused = await svc([file('x.csv', 'who,what\r\nada,pro\r\n'), '--dry-run'])
    expect(refused.code).toBe(1)
    for (const part of ['subscriberExternalId', 'it has who, what', '--mapping mapping.yaml'])
      expect(refused.err).toContain(part)
    const json = await svc([file('x.csv', 'who,what\r\nada,pro\r\n'), '--dry-run', '--json'])
    expect(JSON.parse(json.out).error).toMatchObject({
      code: 'IMPORT_MAPPING_INCOMPLETE',
      details: { missingFields: expect.arrayContaining(['subscriberExternalId']) },
    })
  })

  test('says that nothing was written where nobody could be asked', async () => {
    const path = file('a.csv', rowsOf(3))
    expect((await svc([path])).err).toContain('Nothing was written, because nobody could be asked; add --commit')
    expect((await svc([path, '--dry-run'])).err).not.toContain('Nothing was written')
  })

  test('a person decides after the dry run', async () => {
    const path = file('good.csv', rowsOf(2))
    await svc([path], { answer: false })
    expect(steps.batches).toEqual([])
    await svc([path], { answer: true })
    expect(steps.batches).toHaveLength(1)
    await svc([path])
    expect(steps.batches).toHaveLength(1)
  })

  test('a mapping of YAML or JSON is used', async () => {
    const { mapping } = await Bun.file(importSample('generic_decimal_comma.expect.json')).json()
    const json = file('mapping.json', JSON.stringify(mapping))
    const sample = importSample('generic_decimal_comma.csv')
    const { code, out } = await svc([sample, '--mapping', json, '--dry-run'])
    expect([code, out.split('\n')[0]]).toEqual([
      ...[
        3,
        expect.stringMatching(
          /^generic_decimal_comma\.csv \(imp_\w+\): 11 rows, 8 can be read \(1 of them are left out, as .+\), 3 cannot\.$/,
        ),
      ],
    ])
    const yaml = file('mapping.yaml', 'columns: {subscriberExternalId: Kunde}\n')
    const missing = await svc([sample, '--mapping', yaml, '--dry-run'])
    expect(missing.code).toBe(1)
    expect(missing.err).toMatch(
      /has no column for store, productIdentifier, purchaseDate; it has Kunde, Shop, Artikel, .*--mapping/,
    )
  })

  test('a dry run says what the writing would change', async () => {
    const { code, out } = await svc([importSample('revenuecat_v5.csv'), '--dry-run'])
    expect(code).toBe(3)
    expect(out).toMatch(/Would write: \d+ new people of \d+; \d+ new purchases, 0 changed, 0 known already/)
    expect(out).toMatch(/Money: [\d.]+ USD in \d+ charges/)
    expect(out).toMatch(/: 1 row\n/)
    expect(out).not.toMatch(/\b1 (rows|charges|refunds|people)\n/)
    expect(out).toMatch(/Purchases without a product: \d+/)
    expect(out).toMatch(/to create them: svc import products imp_\w+/)
  })

  test('--catalog writes the missing products as a new file, which apply takes; products creates them', async () => {
    const path = join(folder, 'svc.yaml')
    const sample = importSample('revenuecat_v5.csv')
    const { err } = await svc([sample, '--dry-run', '--catalog', path])
    expect(err).toContain(`${path} has`)
    const catalog = await Bun.file(path).text()
    expect(catalog).toContain('# Products that revenuecat_v5.csv names')
    const again = await svc([sample, '--dry-run', '--catalog', path])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')])
    const [{ id }] = await listed()
    expect(await listed()).toHaveLength(1)
    expect((await svc(['products', id, '--dry-run'])).out).toContain('products would be created.')
    const before = (await s.ctx.db.select().from(s.ctx.tables.products)).length
    const io = { ...quiet(), env: machineEnv(s), clock: s.ctx.clock, program: PROGRAM }
    expect(await runCommandLine(['apply', '-f', path, '--yes'], io)).toBe(0)
    const after = (await s.ctx.db.select().from(s.ctx.tables.products)).length
    expect(after).toBeGreaterThan(before)
    expect(await svc(['products', id])).toMatchObject({ code: 1, err: expect.stringContaining('every product') })
    const whole = join(folder, 'whole.yaml')
    expect((await svc([sample, '--dry-run', '--catalog', whole])).err).toContain('is not written')
    expect(await Bun.file(whole).exists()).toBe(false)
  })

  test('products creates what is missing, with the project and its accesses', async () => {
    const [{ id }] = JSON.parse((await svc([importSample('revenuecat_v5.csv'), '--dry-run', '--json'])).out).imports
    const made = JSON.parse((await svc(['products', id, '--json'])).out)
    expect(made).toMatchObject({ isDryRun: false })
    expect(made.products.length).toBeGreaterThan(0)
    expect((await svc(['products', 'imp_none'])).code).toBe(1)
    const one = file(
      'one.csv',
      rowsOf(1, () => 'ann,ios_store,com.x.alone,2026-01-01,1'),
    )
    const [alone] = JSON.parse((await svc([one, '--dry-run', '--json'])).out).imports
    expect((await svc(['products', alone.id, '--dry-run'])).out).toStartWith('1 product would be created.')
    expect((await svc(['products', alone.id])).out).toStartWith('1 product is created.')
  })

  test('wrong usage exits with 2', async () => {
    const path = file('good.csv', rowsOf(1))
    for (const args of [
      ...[[], [path, '--dry-run', '--commit'], [path, '--preset', 'amazon'], [path, '--mapping', join(folder, 'none')]],
      ...[[path, '--mapping', file('bad.yaml', 'columns: [1]')], ['show'], ['resume', 'a', 'b'], ['list', 'x']],
      [path, '--preset', 'revenuecat_v5', '--dry-run'],
      ...[[path, path, '--dry-run', '--catalog', join(folder, 'x.yaml')], ['products'], ['products', 'a', 'b']],
    ])
      expect((await svc(args)).code).toBe(2)
    expect(steps.batches).toEqual([])
  })

  test('a file that is not there and one that is no CSV exit with 1', async () => {
    const missing = await svc([join(folder, 'none.csv'), '--dry-run'])
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no file')])
    const empty = await svc([file('empty.csv', ''), '--dry-run'])
    expect([empty.code, empty.err]).toEqual([1, expect.stringContaining('The file is empty')])
    expect(await listed()).toEqual([])
  })

  test('a folder of our own export stands for its people and purchases', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    s.ctx.clock.advance(DAY)
    const { folder: made } = await exported(s, '--format', 'jsonl')
    const mapping = file('all.json', '{"options":{"skipSandbox":false}}')
    const { code, out, err } = await svc([made, '--commit', '--mapping', mapping])
    expect([code, steps.batches.map(({ people }) => people)]).toEqual([0, [['svc_ada'], ['svc_ada']]])
    expect(out).toMatch(/subscribers-000001.jsonl \(imp_\w+\): 1 row,[\s\S]*purchases-000001.jsonl \(imp_\w+\): 1 row,/)
    expect(err).toMatch(/Left out of .*: transactions, events, ledger\./)
    for (const [path, reason] of [
      [folder, /without manifest.json/],
      [(await exported(s, '--format', 'parquet')).folder, /as Parquet/],
      [(await exported(s, '--table', 'events')).folder, /without subscribers and purchases/],
    ] as const) {
      const refused = await svc([path, '--dry-run'])
      expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(reason)])
    }
  })

  test('that is interrupted says how to go on, and goes on behind its last batch', async () => {
    const path = file('long.csv', rowsOf(3500))
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    steps.before = () => {
      if (steps.batches.length === 1) resolve()
    }
    const { code, err } = await svc([path, '--commit'], { stopped })
    expect(code).toBe(1)
    const id = /svc import resume (imp_\w+)/.exec(err)?.[1] ?? ''
    const rows = steps.batches.flatMap(({ lines }) => lines).length
    expect(rows).toBeLessThan(3500)
    expect(await listed()).toMatchObject([{ id, status: 'RUNNING', counters: { rows } }])
    steps.before = () => {}
    expect((await svc(['resume', id])).code).toBe(0)
    expect(steps.batches.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 3500 }, (_, n) => n + 2))
    expect(await listed()).toMatchObject([{ id, status: 'COMPLETED', counters: { rows: 3500 } }])
  })

  test('show, report, cancel and undo name an import that does not exist', async () => {
    for (const action of ['show', 'report', 'cancel', 'undo', 'resume'])
      expect(await svc([action, 'imp_none', ...(action === 'undo' ? ['--yes'] : [])])).toMatchObject({
        code: 1,
        err: expect.stringContaining('no import imp_none'),
      })
  })

  test('report prints every fault, and undo refuses an import that has written nothing', async () => {
    await svc([importSample('revenuecat_v5.csv'), '--dry-run'])
    const [{ id }] = await listed()
    const report = await svc(['report', id])
    expect(report.out.split('\r\n')).toHaveLength(8)
    const refused = await svc(['undo', id, '--yes'])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('cannot do that in its present state')])
    expect((await svc(['cancel', id])).out).toContain('is cancelled')
    expect((await svc(['cancel', id])).code).toBe(1)
  })
})

describe('on a server', () => {
  let server: RemoteServer
  beforeEach(() => {
    s.ctx.state.importSteps = steps
    s.ctx.state.blobs = folderBlobs(folder)
    server = listen(s)
  })
  afterEach(() => server.close())

  const env = (role: 'ADMIN' | 'DEVELOPER' = 'ADMIN') => ({ SVC_URL: server.url, SVC_TOKEN: server.tokenOf(role) })

  test('a file is sent, and list and show read what became of it', async () => {
    const path = file('good.csv', rowsOf(5))
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    resolve()
    const sent = await svc([path, '--dry-run'], { env: env(), stopped })
    expect(sent.err).toMatch(/goes on without this command/)
    const { imports } = JSON.parse((await svc(['list', '--json'], { env: env() })).out)
    expect(imports).toMatchObject([{ fileName: 'good.csv', status: 'DRY_RUN_RUNNING' }])
    expect((await svc(['show', imports[0].id], { env: env() })).out).toContain('good.csv')
    expect((await svc(['cancel', imports[0].id], { env: env() })).code).toBe(0)
    expect((await svc(['report', imports[0].id], { env: env() })).out).toBe('file,line,column,message')
  })

  test('somebody without the capability is refused', async () => {
    const refused = await svc([file('good.csv', rowsOf(1)), '--dry-run'], { env: env('DEVELOPER') })
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/role|capability/i)
  })

  test('undo takes an import back, and says so when it does not exist', async () => {
    const { id } = await written()
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    resolve()
    const sent = await svc(['undo', id, '--yes'], { env: env(), stopped })
    expect([sent.code, sent.err]).toEqual([1, expect.stringContaining('goes on without this command')])
    await work(s)
    const shown = JSON.parse((await svc(['show', id, '--json'], { env: env() })).out)
    expect([shown.status, shown.undone]).toEqual(['CANCELLED', expect.objectContaining({ purchasesRemoved: 1 })])
    const again = await svc(['undo', id, '--yes'], { env: env() })
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('taken back already')])
    expect((await svc(['undo', 'imp_x', '--yes'], { env: env() })).code).toBe(1)
    expect((await svc(['undo', id, '--yes'], { env: env('DEVELOPER') })).code).toBe(1)
  })

  async function written(): Promise<{ id: string }> {
    const { out } = await svc([file('good.csv', rowsOf(5)), '--commit', '--json'])
    return JSON.parse(out).imports[0]
  }
})

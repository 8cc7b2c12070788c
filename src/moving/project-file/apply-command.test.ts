// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEST_KEY, type TestContext, testContext } from '../../../test/support/context'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { PROGRAM } from '../../program'
import { createProject } from '../../projects/project/service'
import { applyCommand } from './apply-command'
import { exportCommand } from './export-command'

let ctx: TestContext
let env: Record<string, string>

beforeEach(async () => {
  ctx = await testContext()
  const { database, dataDir } = ctx.config
  const url = database.kind === 'postgres' ? database.url : `file:${join(dataDir, 'svc.db')}`
  env = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: url, SVC_MASTER_KEY: TEST_KEY }
  await createProject(ctx, { name: 'Sleep App' })
})
afterEach(() => ctx.close())

interface Ran {
  code: number
  out: string[]
  err: string[]
  asked: string[]
}

interface Terminal {
  answer: boolean
}

/** Runs a command. `terminal` is the answer that every question gets. */
async function run(command: Command, args: string[], terminal?: Terminal): Promise<Ran> {
  const ran: Ran = { code: -1, out: [], err: [], asked: [] }
  const io: Io = {
    out: (line) => void ran.out.push(line),
    err: (line) => void ran.err.push(line),
    isTerminal: terminal !== undefined,
    env,
    clock: ctx.clock,
    confirm: async (question) => {
      ran.asked.push(question)
      return terminal?.answer ?? false
    },
    progress: () => {},
    program: PROGRAM,
    stopped: new Promise(() => {}),
  }
  ran.code = await command.run(args, io)
  return ran
}

const failure = (work: Promise<Ran>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

async function refusal(work: Promise<Ran>): Promise<CommandFailure> {
  const error = await failure(work)
  if (!(error instanceof CommandFailure)) throw new Error('the command was not refused')
  return error
}

function file(text: string, name = 'svc.yaml'): string {
  const path = join(ctx.config.dataDir, name)
  writeFileSync(path, text)
  return path
}

const PRO = 'version: 1\nproject: { slug: sleep-app, name: Sleep App }\naccess: { pro: { displayName: Pro } }\n'

const accessNames = async () => (await ctx.db.select().from(ctx.tables.access)).map(({ identifier }) => identifier)

describe('svc apply', () => {
  test('applies with --yes, and then finds no changes', async () => {
    const path = file(PRO)
    expect(await run(applyCommand, ['-f', path, '--yes'])).toMatchObject({
      code: 0,
      out: ['+ access pro', '1 to create, 0 to change, 0 to delete.', 'applied'],
    })
    expect(await accessNames()).toEqual(['pro'])
    expect(await run(applyCommand, ['-f', path, '--yes'])).toMatchObject({ code: 0, out: ['no changes'] })
  })

  test('--dry-run exits 0, --check exits 3, and both write nothing', async () => {
    const path = file(PRO)
    expect((await run(applyCommand, ['-f', path, '--dry-run'])).code).toBe(0)
    expect((await run(applyCommand, ['-f', path, '--check'])).code).toBe(3)
    expect(await accessNames()).toEqual([])
    await run(applyCommand, ['-f', path, '--yes'])
    expect((await run(applyCommand, ['-f', path, '--check'])).code).toBe(0)
  })

  test('asks on a terminal', async () => {
    const path = file(PRO)
    expect(await failure(run(applyCommand, ['-f', path], { answer: false }))).toBeInstanceOf(CommandFailure)
    expect(await accessNames()).toEqual([])
    expect(await run(applyCommand, ['-f', path], { answer: true })).toMatchObject({ code: 0, asked: ['Apply?'] })
    expect(await accessNames()).toEqual(['pro'])
  })

  test('--patch changes what it names, asks on a terminal, and needs no --project where there is one', async () => {
    await run(applyCommand, [
      '-f',
      file(`${PRO.trim()}\nflags: { dark: { type: BOOLEAN, environments: { PROD: { default: true } } } }\n`),
      '--yes',
    ])
    const path = file('access: { coach: { displayName: Coach } }\nflags: { dark: null }\n', 'patch.yaml')
    expect(await failure(run(applyCommand, ['--patch', path], { answer: false }))).toBeInstanceOf(CommandFailure)
    expect(await accessNames()).toEqual(['pro'])
    const { code, out, asked } = await run(applyCommand, ['--patch', path], { answer: true })
    expect([code, asked, out[0], out.at(-1)]).toEqual([0, ['Apply?'], '+ access coach', 'applied'])
    expect((await accessNames()).sort()).toEqual(['coach', 'pro'])
    expect(await ctx.db.select().from(ctx.tables.flags)).toEqual([])
  })

  test('without a terminal, or with --json, wants --yes', async () => {
    const path = file(PRO)
    expect(await failure(run(applyCommand, ['-f', path]))).toBeInstanceOf(UsageError)
    expect(await failure(run(applyCommand, ['-f', path, '--json'], { answer: true }))).toBeInstanceOf(UsageError)
    expect(await failure(run(applyCommand, []))).toBeInstanceOf(UsageError)
    expect(await failure(run(applyCommand, ['-f', path, '--check', '--dry-run']))).toBeInstanceOf(UsageError)
  })

  test('tells every problem with its line, those with what is saved too, and exits 1', async () => {
    const path = file(`${PRO}products:\n  a: { type: X, displayName: A, access: [nope] }\n`)
    const { more } = await refusal(run(applyCommand, ['-f', path, '--yes']))
    expect(more.lines).toEqual([
      `${path}:5:8 products.a.type: This must be one of SUBSCRIPTION, CONSUMABLE, NON_CONSUMABLE`,
      `${path}:5:42 products.a.access[0]: There is no access called nope (UNKNOWN_REFERENCES)`,
    ])
    expect(await accessNames()).toEqual([])
  })

  test('tells what is wrong with a file even when the database is away', async () => {
    env.SVC_DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none'
    const path = file('version: 1\naccess: 5')
    expect((await refusal(run(applyCommand, ['-f', path, '--yes']))).more.lines).toEqual([
      `${path}:2:1 access: This must be a mapping of names to values; write {} for none`,
    ])
    expect(await failure(run(applyCommand, ['-f', file(PRO), '--yes']))).not.toBeNull()
  })

  test('warns of rules that compare a version, a time or a list as a text, also where nothing changes', async () => {
    const path = file(
      [
        'version: 1',
        'project: { slug: sleep-app }',
        'audiences:',
        '  Old: { rules: { appVersion: { $lt: v3 }, tags: { $in: [\'["a"]\'] } } }',
        '  New: { rules: { appVersion: { $vgte: 3.1.0 }, svc.access: { $in: [pro] } } }',
        'flags:',
        '  late:',
        '    type: BOOLEAN',
        '    environments: { PROD: { default: false, rules: [{ conditions: { until: { $gt: "2026-11-27" } }, value: true }] } }',
      ].join('\n'),
    )
    const lines = [
      expect.stringMatching(/^! audience Old: rules\.appVersion\.\$lt compares v3 .*\$vlt$/),
      expect.stringMatching(/^! audience Old: rules\.tags\.\$in names the whole text of a list/),
      expect.stringMatching(/^! flag late \(PROD\): rules\[0\]\.conditions\.until\.\$gt .*\$dgt$/),
    ]
    const isWarning = (line: string) => line.startsWith('!')
    const dry = await run(applyCommand, ['-f', path, '--dry-run'])
    expect([dry.code, dry.out.filter(isWarning), dry.out.at(-1)]).toEqual([
      0,
      lines,
      expect.stringMatching(/to create/),
    ])
    const [json = ''] = (await run(applyCommand, ['-f', path, '--yes', '--json'])).out
    expect(JSON.parse(json).warnings).toEqual([
      { kind: 'audience', ref: 'Old', path: 'rules.appVersion.$lt', message: expect.stringContaining('$vlt') },
      { kind: 'audience', ref: 'Old', path: 'rules.tags.$in', message: expect.stringContaining('whole text') },
      { kind: 'flag', ref: 'late (PROD)', path: 'rules[0].conditions.until.$gt', message: expect.anything() },
    ])
    expect((await run(applyCommand, ['-f', path, '--yes'])).out).toEqual([...lines, 'no changes'])
    const other = file('version: 1\nproject: { slug: sleep-app }\nflags: {}')
    expect((await run(applyCommand, ['-f', other, '--yes'])).out).toEqual(['no changes'])
  })

  test('speaks JSON', async () => {
    await run(applyCommand, ['-f', file(PRO), '--yes'])
    const path = file(
      PRO.replace('displayName: Pro', 'displayName: Pro Plus, metadata: { a: 1 }').replace(
        'access: {',
        'access: { x: { displayName: X },',
      ),
    )
    const { code, out } = await run(applyCommand, ['-f', path, '--json', '--check'])
    expect(code).toBe(3)
    expect(JSON.parse(out.join(''))).toEqual({
      changes: [
        {
          op: 'create',
          kind: 'access',
          ref: 'x',
          path: null,
          before: null,
          after: { identifier: 'x', displayName: 'X', description: null, metadata: {} },
        },
        { op: 'update', kind: 'access', ref: 'pro', path: 'displayName', before: 'Pro', after: 'Pro Plus' },
        { op: 'update', kind: 'access', ref: 'pro', path: 'metadata.a', before: null, after: 1 },
      ],
      counts: { create: 1, update: 1, delete: 0, keepSecret: 0 },
    })
    const wrong = file('version: 2\nproject: { slug: sleep-app }')
    const bad = await refusal(run(applyCommand, ['-f', wrong, '--json', '--yes']))
    expect(bad).toMatchObject({ code: 'VALIDATION_ERROR', message: `${wrong} has 1 problem, so nothing was changed.` })
    expect(bad.more.details).toMatchObject({
      fields: ['version'],
      problems: [{ line: 1, column: 1, path: 'version', code: 'VALIDATION_ERROR' }],
    })
  })

  test('keeps the project in the file, also when nothing had to be changed', async () => {
    const { id, configVersion } = (await createProject(ctx, { name: 'Other' })).project
    const drift = () => ctx.state.drifts.of({ id, configVersion })
    const path = file('version: 1\nproject: { slug: other, name: Other }')
    for (const mode of ['--dry-run', '--check']) await run(applyCommand, ['-f', path, mode])
    expect((await drift()).appliedAt).toBeNull()
    expect((await run(applyCommand, ['-f', path, '--yes'])).out).toEqual(['no changes'])
    expect(await drift()).toMatchObject({ appliedAt: expect.any(String), count: 0 })
  })

  test('finds its project by --project, by slug or id, or in the file', async () => {
    const { id } = (await createProject(ctx, { name: 'Other' })).project
    const path = file('version: 1\naccess: { pro: { displayName: Pro } }')
    expect(await failure(run(applyCommand, ['-f', path, '--yes']))).toBeInstanceOf(UsageError)
    expect((await run(applyCommand, ['-f', path, '--yes', '--project', 'other'])).code).toBe(0)
    expect((await run(applyCommand, ['-f', path, '--yes', '--project', id])).out).toEqual(['no changes'])
    const renamed = file('version: 1\nproject: { slug: another, was: other }')
    expect((await run(applyCommand, ['-f', renamed, '--yes'])).out).toContain('    slug: other -> another')
    expect((await run(applyCommand, ['-f', renamed, '--yes'])).out).toEqual(['no changes'])
  })

  test('says how to make a project that is not there', async () => {
    const error = await failure(run(applyCommand, ['-f', file(PRO.replace('sleep-app', 'nope')), '--yes']))
    expect(String(error)).toContain('svc project create')
    expect(String(await failure(run(applyCommand, ['-f', '/nowhere.yaml', '--yes'])))).toContain(
      '/nowhere.yaml cannot be read',
    )
  })

  test('reads a list of 100,000 ids from a file beside the project file', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `${'x'.repeat(60)}${index}`)
    file(ids.join('\n'), 'beta.txt')
    const path = file(`${PRO}audiences:\n  Beta: { rules: {}, members: "\${file:./beta.txt}" }\n`)
    const { code, err } = await run(applyCommand, ['-f', path, '--yes'])
    expect([code, err]).toEqual([0, []])
    expect(await ctx.db.select({ size: ctx.tables.audienceMembers.size }).from(ctx.tables.audienceMembers)).toEqual([
      { size: 100_000 },
    ])
  })

  test('reads placeholders from the environment and from files beside the project file', async () => {
    const path = file(
      `version: 1\nproject: { slug: sleep-app, name: Sleep App }\nstores: { payment: { mode: test, secretKey: "\${env:KEY}", webhookSecret: "\${file:./hook.txt}" } }`,
    )
    expect((await run(applyCommand, ['-f', path, '--dry-run'])).out).toEqual([
      '+ store payment',
      '! stores.payment.secretKey        KEY is not set, and no value is saved',
      '! stores.payment.webhookSecret    ./hook.txt cannot be read, and no value is saved',
      '1 to create, 0 to change, 0 to delete.',
    ])
    env.KEY = 'sk_test_1'
    file('whsec_1\n', 'hook.txt')
    expect((await run(applyCommand, ['-f', path, '--yes'])).out).toEqual([
      '+ store payment',
      '1 to create, 0 to change, 0 to delete.',
      'applied',
    ])
    expect((await run(applyCommand, ['-f', path, '--yes'])).out).toEqual(['no changes'])
  })
})

describe('svc export', () => {
  test('writes the file that applies to no changes', async () => {
    await run(applyCommand, ['-f', file(PRO), '--yes'])
    const path = join(ctx.config.dataDir, 'out.yaml')
    expect(await run(exportCommand, ['--project', 'sleep-app', '-o', path])).toMatchObject({ code: 0, out: [] })
    expect(readFileSync(path, 'utf8')).toBe(
      '# yaml-language-server: $schema=http://127.0.0.1:3000/svc.schema.json\nversion: 1\n\nproject:\n  slug: sleep-app\n  name: Sleep App\n\naccess:\n  pro:\n    displayName: Pro\n\nvirtualCurrencies: {}\n\nproducts: {}\n\nofferings: {}\n\naudiences: {}\n\nflags: {}\n\nexperiments: {}\n\nfunnels: {}\n\nplacements: {}\n',
    )
    expect((await run(applyCommand, ['-f', path, '--yes', '--prune'])).out).toEqual(['no changes'])
  })

  test('writes to the terminal, with ids as comments, or as JSON', async () => {
    await run(applyCommand, ['-f', file(PRO), '--yes'])
    const [yaml = ''] = (await run(exportCommand, ['--project', 'sleep-app', '--with-ids'])).out
    expect(yaml).toMatch(/pro:\n {4}# acc_[0-9a-z]{26}\n {4}displayName: Pro/)
    expect((await run(applyCommand, ['-f', file(yaml), '--check', '--prune'])).code).toBe(0)
    const [json = ''] = (await run(exportCommand, ['--project', 'sleep-app', '--json'])).out
    expect(JSON.parse(json)).toMatchObject({ version: 1, access: { pro: { displayName: 'Pro' } } })
    expect((await run(applyCommand, ['-f', file(json, 'svc.json'), '--check', '--prune'])).code).toBe(0)
  })

  test('writes what the placements show without a network', async () => {
    file('[{ "id": "a", "type": "info", "title": { "en": "Hi" } }]', 'pages.json')
    const funnels = 'funnels: { f: { name: F, defaultLocale: en, publish: true, pagesFile: ./pages.json } }'
    const placements = 'placements: { start: { name: S, rows: [{ target: { funnel: f } }] } }'
    await run(applyCommand, ['-f', file(`${PRO}${funnels}\n${placements}\n`), '--yes'])
    const path = join(ctx.config.dataDir, 'fallback.json')
    expect(await run(exportCommand, ['--project', 'sleep-app', '--fallback', '-o', path])).toMatchObject({
      code: 0,
      out: [],
    })
    const shown = JSON.parse(readFileSync(path, 'utf8'))
    expect(shown).toMatchObject({
      formatVersion: 1,
      placements: { start: { funnel: { pages: [{ title: { en: 'Hi' } }] } } },
    })
    expect(Object.keys(shown)).toEqual(['formatVersion', 'generatedAt', 'projectId', 'placements'])
  })

  test('wants a project that is there', async () => {
    expect(await failure(run(exportCommand, ['--project', 'sleep-app', '--fallback', '--with-ids']))).toBeInstanceOf(
      UsageError,
    )
    expect(await failure(run(exportCommand, ['--project', 'nope', '--fallback']))).toBeInstanceOf(CommandFailure)
    expect(await failure(run(exportCommand, []))).toBeInstanceOf(UsageError)
    expect(await failure(run(exportCommand, ['--project', 'sleep-app', '--json', '--with-ids']))).toBeInstanceOf(
      UsageError,
    )
    expect(await failure(run(exportCommand, ['--project', 'nope']))).toBeInstanceOf(CommandFailure)
    expect(await failure(run(exportCommand, ['--project', 'sleep-app', '-o', '/nowhere/x.yaml']))).toBeInstanceOf(
      CommandFailure,
    )
  })
})

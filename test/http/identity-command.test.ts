import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decodeJwt, jwtVerify } from 'jose'
import { HOUR, SECOND } from '../../src/base/lib/clock'
import { backupCommand } from '../../src/cli/backup'
import { examine } from '../../src/cli/doctor'
import { applyCommand } from '../../src/moving/project-file/apply-command'
import { exportCommand } from '../../src/moving/project-file/export-command'
import { PROGRAM } from '../../src/program'
import { verifyAudit } from '../../src/projects/audit/audit'
import { identityCommand } from '../../src/projects/identity-tokens/command'
import { applyFile } from '../../src/projects/project-file/apply'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { NOW, TEST_KEY } from '../support/context'
import { changeSettings } from '../support/facts'
import { identifyWith, jwkOf, KINDS, keyServer, makeSecret, NOT_VALID, REQUIRED, refusalOf } from '../support/identity'
import { SECTIONS } from '../support/sections'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const P = ['--project', 'project-1']
const run = (...args: string[]) => runBeside(s, identityCommand, ...args)
const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, ...P, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}
/** As a running server sees it, at most two seconds after another process changed something. */
const notice = () => s.ctx.state.configWatch.check()
const settingsOf = async () => {
  const rows = await s.ctx.db.select().from(s.ctx.tables.projects)
  return rows.find(({ id }) => id === s.project.id)?.settings
}
const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)

describe('svc identity secret', () => {
  test('create shows a secret once, and rotate replaces it; both are known to a running server', async () => {
    await notice()
    await json('settings', '--verification', 'labels')
    const { projectId, identitySecret, previousUntil } = await json('secret', 'create')
    expect([projectId, previousUntil]).toEqual([s.project.id, null])
    expect(identitySecret).toMatch(/^svc_idk_[0-9A-Za-z]{43}$/)
    const first = await json('token', '--subscriber', 'user_1')
    await notice()
    expect((await identifyWith(s, 'svc_1', 'user_1', first.token)).status).toBe(200)

    const rotated = await json('secret', 'rotate', '--overlap', '1')
    expect(rotated.identitySecret).not.toBe(identitySecret)
    expect(rotated.previousUntil).toBe(new Date(NOW + HOUR).toISOString())
    const second = await json('token', '--subscriber', 'user_1')
    await notice()
    for (const { token } of [first, second]) expect((await identifyWith(s, 'svc_1', 'user_1', token)).status).toBe(200)

    await json('secret', 'rotate')
    await notice()
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', second.token))).toEqual(NOT_VALID)
  })

  test('create for people says that it is not shown again', async () => {
    const { code, out } = await run('secret', 'create', ...P)
    expect([code, out.includes('Keep the secret now'), /svc_idk_[0-9A-Za-z]{43}/.test(out)]).toEqual([0, true, true])
  })

  test('is refused a second time, before the first time, and with an overlap out of range', async () => {
    const none = await run('secret', 'rotate', ...P)
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining('no identity secret yet; make one with: svc identity secret create'),
    ])
    await json('secret', 'create')
    const twice = await run('secret', 'create', ...P)
    expect([twice.code, twice.err]).toEqual([1, expect.stringContaining('svc identity secret rotate')])
    for (const hours of ['169', '99999999'])
      expect((await run('secret', 'rotate', ...P, '--overlap', hours)).err).toContain('0 to 168')
    expect((await run('secret', 'rotate', ...P, '--overlap', 'x')).code).toBe(2)
    expect(await auditRows()).toHaveLength(1)
  })

  test('two that are made at the same time leave one', async () => {
    const made = await Promise.allSettled([makeSecret(s), makeSecret(s)])
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await s.ctx.db.select().from(s.ctx.tables.identitySecrets)).toHaveLength(1)
  })

  test('lies encrypted in the database and in a backup, and nowhere else', async () => {
    const secrets = [(await json('secret', 'create')).identitySecret as string]
    secrets.push((await json('secret', 'rotate', '--overlap', '24')).identitySecret)
    const file = join(s.ctx.config.dataDir, 'backup.svc')
    expect((await runBeside(s, backupCommand, file)).code).toBe(0)
    const backup = gunzipSync(readFileSync(file)).toString()
    rmSync(file)
    const stored = JSON.stringify([await auditRows(), await s.ctx.db.select().from(s.ctx.tables.identitySecrets)])
    expect(backup).toContain('identity_secrets')
    for (const text of [backup, stored, s.ctx.lines.join('\n')])
      for (const secret of secrets) expect(text.includes(secret.slice(8, 40))).toBe(false)
  })

  test('of one project does not open in the row of another', async () => {
    const { identitySecrets: t } = s.ctx.tables
    await makeSecret(s)
    const [row] = await s.ctx.db.select().from(t)
    if (!row) throw new Error('no row')
    await s.ctx.write((tx) => tx.db.insert(t).values({ ...row, projectId: s.other.id }))
    const { code, err } = await run('token', '--subscriber', 'user_1', '--project', 'project-2')
    expect([code, err]).toEqual([1, expect.stringContaining('does not open with this master key')])
  })
})

describe('svc identity token', () => {
  test('signs a token for a label that is valid for an hour, or less, and for one device', async () => {
    const { identitySecret } = await json('secret', 'create')
    const plain = await json('token', '--subscriber', 'user_1')
    const iat = NOW / SECOND
    const claims = { sub: 'user_1', aud: s.project.id, iat, exp: iat + 3600 }
    const { payload, protectedHeader } = await jwtVerify(plain.token, Buffer.from(identitySecret), {
      currentDate: new Date(NOW),
    })
    expect([payload, protectedHeader.alg]).toEqual([claims, 'HS256'])
    expect(plain.expiresAt).toBe(new Date(NOW + HOUR).toISOString())
    const bound = await json('token', '--subscriber', 'ü 1', '--device', 'svc_1', '--expires', '60')
    expect(decodeJwt(bound.token)).toEqual({ ...claims, sub: 'ü 1', exp: iat + 60, dk: 'svc_1' })
    const { out } = await run('token', '--subscriber', 'user_1', ...P)
    expect(out).toBe(plain.token)
  })

  test('is refused without a secret, a label or a sensible end', async () => {
    const none = await run('token', '--subscriber', 'user_1', ...P)
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('svc identity secret create')])
    await json('secret', 'create')
    expect((await run('token', ...P)).code).toBe(2)
    for (const expires of ['x', '-1'])
      expect((await run('token', '--subscriber', 'u', `--expires=${expires}`)).code).toBe(2)
    for (const expires of ['0', '3601'])
      expect((await run('token', '--subscriber', 'u', '--expires', expires, ...P)).err).toContain('1 to 3600 seconds')
    for (const label of [' ', 'x'.repeat(256)])
      expect((await run('token', '--subscriber', label, ...P)).err).toContain('1 to 255 characters')
  })
})

test('without a master key no secret is made', async () => {
  const bare = await stage({ env: { SVC_MASTER_KEY: 'off' } })
  try {
    await expect(makeSecret(bare)).rejects.toMatchObject({
      refusal: 'FEATURE_NOT_CONFIGURED',
      details: { feature: 'credential_encryption' },
    })
    expect(await bare.ctx.db.select().from(bare.ctx.tables.identitySecrets)).toEqual([])
  } finally {
    await bare.close()
  }
})

describe('svc identity settings', () => {
  test('turns the check on and off, and shows what is set', async () => {
    await notice()
    expect(await json('settings')).toEqual({ identityVerification: 'off', identityJwksUrl: null })
    const url = 'https://8.8.8.8/jwks.json'
    const on = { identityVerification: 'labels', identityJwksUrl: url }
    expect(await json('settings', '--verification', 'labels', '--jwks-url', url)).toEqual(on)
    expect(await json('settings')).toEqual(on)
    await notice()
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', null))).toEqual(REQUIRED)
    expect(await json('settings', '--jwks-url', 'none')).toEqual({ ...on, identityJwksUrl: null })
    await json('settings', '--verification', 'off')
    await notice()
    expect((await identifyWith(s, 'svc_1', 'user_1', null)).status).toBe(200)
    expect(await settingsOf()).toEqual({})
  })

  test('leaves the other settings alone', async () => {
    await changeSettings(s, { clawback: 'full' })
    await json('settings', '--verification', 'labels')
    expect(await settingsOf()).toEqual({ clawback: 'full', identityVerification: 'labels' })
  })

  test('refuses an address that must not be called, and says why', async () => {
    const refused: [url: string, why: string][] = [
      ['http://8.8.8.8/jwks.json', 'must begin with https'],
      ['https://127.0.0.1/jwks.json', 'must not lead to a private network'],
      ['http://localhost:3000/jwks.json', 'must begin with https'],
      ['https://169.254.169.254/latest', 'must not lead to a private network'],
      ['https://user:pass@8.8.8.8/', 'must not contain a user name'],
      ['https://nobody.invalid/jwks.json', 'must name a host that can be found, and its name has no address yet'],
      ['jwks.json', 'must be an absolute https address'],
      [`https://8.8.8.8/${'x'.repeat(2048)}`, 'at most 2048 characters'],
    ]
    for (const [url, why] of refused) {
      const { code, err } = await run('settings', ...P, '--jwks-url', url)
      expect([url, code, err]).toEqual([
        url,
        1,
        expect.stringContaining(`--jwks-url ${why.replace('at most', 'must have at most')}`),
      ])
    }
    expect(await auditRows()).toEqual([])
  })

  test('refuses what it cannot mean', async () => {
    for (const args of [[], ['secret'], ['token', 'x'], ['settings', '--verification', 'all'], ['secret', 'drop']])
      expect([args, (await run(...args, ...P)).code]).toEqual([args, 2])
    expect((await run('settings', '--project', 'nobody')).code).toBe(1)
  })
})

test('every change is in the audit log with who made it, and without the secret', async () => {
  await json('settings', '--verification', 'labels')
  await json('settings', '--verification', 'labels') // Not a change.
  const { identitySecret } = await json('secret', 'create')
  await json('secret', 'rotate', '--overlap', '2')
  const rows = await auditRows()
  const actor = { kind: 'CLI', id: null, email: null }
  const off = { identityVerification: 'off', identityJwksUrl: null }
  const secret = { type: 'identitySecret', id: s.project.id }
  const first = { last4: identitySecret.slice(-4), previousUntil: null }
  expect(rows.map(({ action, target, before, after, actor }) => ({ action, target, before, after, actor }))).toEqual([
    {
      action: 'project.update',
      target: { type: 'project', id: s.project.id },
      before: { settings: off },
      after: { settings: { ...off, identityVerification: 'labels' } },
      actor,
    },
    { action: 'identitySecret.create', target: secret, before: null, after: first, actor },
    {
      action: 'identitySecret.rotate',
      target: secret,
      before: first,
      after: { last4: expect.any(String), previousUntil: new Date(NOW + 2 * HOUR).toISOString() },
      actor,
    },
  ])
  expect((await verifyAudit(s.ctx, s.project.id)).ok).toBe(true)
})

describe('the project file', () => {
  const apply = async (settings: string, on = s) => {
    const text = `version: 1\nproject:\n  settings: ${settings}\n`
    const parsed = parseProjectFile(SECTIONS, text, { env: () => null, file: () => null })
    if ('unreadable' in parsed) throw new Error('unreadable')
    return (await applyFile(on.ctx, on.project.id, parsed, { prune: false })).problems
  }

  test('sets both settings, export writes them back first, and applying it again changes nothing', async () => {
    const url = 'https://keys.example.com/jwks.json' // Looked up when it is called, not here.
    expect(await apply(`{ identityVerification: labels, identityJwksUrl: "${url}" }`)).toEqual([])
    expect(await settingsOf()).toEqual({ identityVerification: 'labels', identityJwksUrl: url })
    expect(refusalOf(await identifyWith(s, 'svc_1', 'user_1', null))).toEqual(REQUIRED)
    const exported = join(s.ctx.config.dataDir, 'svc.yaml')
    expect((await runBeside(s, exportCommand, ...P, '-o', exported)).code).toBe(0)
    const text = readFileSync(exported, 'utf8')
    expect(text).toContain(`settings:\n    identityVerification: labels\n    identityJwksUrl: ${url}\n`)
    const again = await runBeside(s, applyCommand, '-f', exported, ...P, '--yes')
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('no changes')])
  })

  test('without them means off, as the file is the whole truth', async () => {
    await changeSettings(s, { identityVerification: 'labels' })
    expect(await apply('{ clawback: full }')).toEqual([])
    expect(await settingsOf()).toEqual({ clawback: 'full' })
  })

  test('refuses another mode and an address that must not be called', async () => {
    const refused: [settings: string, path: string, why: string][] = [
      ['{ identityVerification: all }', 'identityVerification', 'one of off, labels'],
      ['{ identityVerification: true }', 'identityVerification', 'one of off, labels'],
      ['{ identityJwksUrl: "http://keys.example.com/" }', 'identityJwksUrl', 'must begin with https'],
      ['{ identityJwksUrl: "https://10.0.0.1/" }', 'identityJwksUrl', 'private network'],
      ['{ identityJwksUrl: "http://127.0.0.1/" }', 'identityJwksUrl', 'must begin with https'],
      ['{ identityJwksUrl: "" }', 'identityJwksUrl', '1 to 2048 characters'],
    ]
    for (const [settings, member, why] of refused)
      expect([settings, await apply(settings).catch((error) => error)]).toEqual([
        settings,
        [expect.objectContaining({ path: ['project', 'settings', member], message: expect.stringContaining(why) })],
      ])
    expect(await settingsOf()).toEqual({})
    const loose = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
    expect(await apply('{ identityJwksUrl: "http://127.0.0.1/" }', loose)).toEqual([])
    await loose.close()
  })
})

describe('svc doctor', () => {
  const says = async (env: Record<string, string> = {}) => {
    const { database, dataDir } = s.ctx.config
    const all = {
      SVC_DATA_DIR: dataDir,
      SVC_MASTER_KEY: TEST_KEY,
      ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
      ...env,
    }
    const checks = await examine(PROGRAM, all, {}, s.ctx.clock)
    return checks
      .filter(({ message }) => /identity/i.test(message))
      .map(({ status, message }) => `${status} ${message}`)
  }
  const LOOSE = { SVC_ALLOW_PRIVATE_TARGETS: '1' }

  test('says nothing while the setting is off, or when a secret is there', async () => {
    expect(await says()).toEqual([])
    await changeSettings(s, { identityVerification: 'labels' })
    await makeSecret(s)
    expect(await says()).toEqual([])
  })

  test('notes labels without a secret and without keys', async () => {
    await changeSettings(s, { identityVerification: 'labels' })
    expect(await says()).toEqual([
      'warn Identity tokens are required, and nothing checks them; run: svc identity secret create --project project-1',
    ])
  })

  test('notes keys that cannot be had', async () => {
    const keys = keyServer([jwkOf(KINDS.EdDSA().publicKey, 'ed')])
    const set = (identityJwksUrl: string) => changeSettings(s, { identityVerification: 'labels', identityJwksUrl })
    await set(keys.url)
    expect(await says(LOOSE)).toEqual([])
    const END = ', so its identity tokens are refused with 503.'
    expect(await says()).toEqual([`warn identityJwksUrl must begin with https, not http${END}`])
    keys.answer = { keys: [] }
    expect(await says(LOOSE)).toEqual(['warn identityJwksUrl has no usable key, so its identity tokens are not valid.'])
    for (const [answer, why] of [
      [() => new Response(null, { status: 404 }), 'answers 404'],
      [() => new Response('<html>'), 'answers something that is no JWKS'],
      [() => new Response(Buffer.alloc(600_000)), 'answers more than 512 KiB'],
    ] as const) {
      keys.answer = answer
      expect(await says(LOOSE)).toEqual([`warn identityJwksUrl ${why}${END}`])
    }
    await keys.stop()
    expect(await says(LOOSE)).toEqual([`warn identityJwksUrl cannot be reached${END}`])
  })

  test('fails when the secret does not open', async () => {
    await makeSecret(s)
    expect(await says({ SVC_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') })).toEqual([
      'fail The identity secret does not open; bring back the master key of before, or rotate the secret.',
    ])
  })
})

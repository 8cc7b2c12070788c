// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { expose } from '../support/experiments'
import { notify } from '../support/notify'
import { configure } from '../support/remote'
import { listen, machineEnv, runWith } from '../support/remote-command'

const folder = mkdtempSync(join(tmpdir(), 'svc-remote-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
function file(text: string): string {
  const path = join(folder, `${++count}.yaml`)
  writeFileSync(path, text)
  return path
}

const NEW = file('version: 1\nflags:\n  late: { type: BOOLEAN, environments: { PROD: { default: true } } }\n')
const WARNED = file('version: 1\naudiences: { Old: { rules: { appVersion: { $lt: v3 } } } }\n')
const BIG = file(
  'version: 1\nvirtualCurrencies: { gold: { name: Gold } }\nproducts:\n  big: { type: CONSUMABLE, displayName: Big, grants: [{ currency: gold, amount: 9007199254740993, on: PURCHASE }] }\n',
)
const WRONG = file('version: 1\nproducts:\n  a: { type: X, displayName: A, access: [nope] }\nflags: { b: 5 }\n')
const UNKNOWN = file('version: 1\nproducts:\n  a: { type: CONSUMABLE, displayName: A, access: [nope, gone] }\n')
const DAMAGED = file('version: 1\naccess: { a: [ }')
const SLUG = file('version: 1\nproject: { slug: project-1, name: Renamed }')
const NOWHERE = file('version: 1\nproject: { slug: nowhere }')
const NAMELESS = file('version: 1\nflags: {}')
const SECRETS = file(
  'version: 1\nstores: { payment: { mode: test, secretKey: "${env:KEY}", webhookSecret: "${file:./hook.txt}" } }',
)
writeFileSync(join(folder, 'pages.json'), '[{ "id": "a", "type": "info", "title": { "en": "Hi" } }]')
const PAGES = file(
  'version: 1\nfunnels: { f: { name: F, defaultLocale: en, publish: true, pagesFile: ./pages.json } }\n',
)

const PATCH = file('flags: { pay: { environments: { PROD: { default: z }, STAGING: null } } }')
const SAME = file('{"flags": {}}')
const SECRET_PATCH = file('stores: { payment: { mode: test, secretKey: sk_test_1, webhookSecret: whsec_1 } }')
const WRONG_PATCH = file('flags:\n  late:\n    kind: BOOLEAN\naccess: null\n')

const P = ['--project', 'project-1']

async function targeting(s: Stage): Promise<void> {
  await configure(s, {
    flags: [
      { key: 'pay', type: 'STRING', defaultValue: 'x'.repeat(100), rules: [{ value: 'b' }] },
      { key: 'pay', env: 'STAGING', type: 'STRING', defaultValue: 'y' },
    ],
    experiments: [
      { key: 'paywall', status: 'RUNNING' },
      { key: 'draft', status: 'DRAFT' },
    ],
  })
  for (const device of ['svc_a', 'svc_b']) expect((await expose(s, device, 'a', {}, 'paywall')).status).toBe(200)
}

/** A placement that shows a funnel. */
async function placed(s: Stage): Promise<void> {
  const path = file(
    'version: 1\nfunnels: { f: { name: F, defaultLocale: en, publish: true, pages: [{ id: a, type: info, title: { en: Hi } }] } }\nplacements: { start: { name: S, rows: [{ target: { funnel: f } }] } }\n',
  )
  const { code } = await runWith(s, ['apply', '-f', path, ...P, '--yes'], { env: machineEnv(s) })
  expect(code).toBe(0)
  s.ctx.state.projects.forget(s.project.id)
}

const bought = async (s: Stage): Promise<unknown> => s.receipt('svc_ada', s.buy(MONTHLY))
/** Access that was given by hand ends on a day. */
async function scheduled(s: Stage): Promise<void> {
  await s.get('/v1/me', 'svc_ada')
  const given = await onIt(s, ['grant', '--subscriber', 'svc_ada', '--access', 'pro', '--json'])
  await onIt(s, ['schedule', 'cancel', JSON.parse(given).id, '--at', LATER, '--revoke'])
}

const SPAN = ['--from', '2026-01-01T00:00:00Z', '--to', '2027-01-01T00:00:00Z']

/** A notification that the catalogue has no product for, and one that is processed. */
async function failed(s: Stage): Promise<void> {
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy({ ...MONTHLY, productId: 'com.x.unsold' }), { id: 'n-1' })
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY), { id: 'n-2' })
}

/** A month at the test store. */
const simulated = async (s: Stage): Promise<unknown> =>
  onIt(s, ['simulate', 'purchase', '--device', 'svc_ada', '--product', 'pro_monthly'])

const LATER = '2027-02-01T00:00:00Z'

async function onIt(s: Stage, args: string[]): Promise<string> {
  const { code, out } = await runWith(s, [...args, ...P], { env: machineEnv(s) })
  expect(code).toBe(0)
  return out
}

const nothing = async (): Promise<void> => {}

type Case = [args: string[], code: number, prepare: (s: Stage) => Promise<unknown>]

const CASES: Case[] = [
  [['apply', '-f', NEW, ...P, '--yes'], 0, nothing],
  [['apply', '-f', NEW, ...P, '--yes', '--json'], 0, nothing],
  [['apply', '-f', NEW, ...P, '--dry-run'], 0, nothing],
  [['apply', '-f', NEW, ...P, '--check'], 3, nothing],
  [['apply', '-f', NEW, ...P, '--check', '--prune', '--json'], 3, targeting],
  [['apply', '-f', WARNED, ...P, '--yes'], 0, nothing],
  [['apply', '-f', WARNED, ...P, '--yes', '--json'], 0, nothing],
  [['apply', '-f', BIG, ...P, '--yes'], 0, nothing],
  [['apply', '-f', BIG, ...P, '--check', '--json'], 3, nothing],
  [['apply', '-f', NAMELESS, ...P, '--check'], 0, nothing],
  [['apply', '-f', SLUG, '--yes'], 0, nothing],
  [['apply', '-f', SECRETS, ...P, '--dry-run'], 0, nothing],
  [['apply', '-f', PAGES, ...P, '--yes', '--json'], 0, nothing],
  [['apply', '--patch', PATCH, ...P, '--yes'], 0, targeting],
  [['apply', '--patch', PATCH, ...P, '--yes', '--json'], 0, targeting],
  [['apply', '--patch', PATCH, ...P, '--dry-run'], 0, targeting],
  [['apply', '--patch', PATCH, ...P, '--check', '--json'], 3, targeting],
  [['apply', '--patch', SAME, ...P, '--check'], 0, nothing],
  [['apply', '--patch', SAME, ...P, '--yes'], 0, nothing],
  [['apply', '--patch', WRONG_PATCH, ...P, '--yes'], 1, nothing],
  [['apply', '--patch', WRONG_PATCH, ...P, '--dry-run', '--json'], 1, nothing],
  [['apply', '--patch', SECRET_PATCH, ...P, '--yes'], 1, nothing],
  [['apply', '--patch', DAMAGED, ...P, '--yes'], 1, nothing],
  [['apply', '--patch', '/nowhere.yaml', ...P, '--yes'], 1, nothing],
  [['apply', '--patch', PATCH, ...P], 2, nothing],
  [['apply', '--patch', PATCH, '-f', NEW, ...P, '--yes'], 2, nothing],
  [['apply', '--patch', PATCH, ...P, '--prune', '--yes'], 2, nothing],
  [['apply', '-f', WRONG, ...P, '--yes'], 1, nothing],
  [['apply', '-f', WRONG, ...P, '--yes', '--json'], 1, nothing],
  [['apply', '-f', UNKNOWN, ...P, '--dry-run'], 1, nothing],
  [['apply', '-f', UNKNOWN, ...P, '--check', '--json'], 1, nothing],
  [['apply', '-f', DAMAGED, ...P, '--yes'], 1, nothing],
  [['apply', '-f', NOWHERE, '--yes'], 1, nothing],
  [['apply', '-f', '/nowhere.yaml', ...P, '--yes'], 1, nothing],
  [['apply', '-f', NAMELESS, '--yes'], 2, nothing],
  [['apply', '-f', NEW, ...P], 2, nothing],
  [['apply', '-f', NEW, ...P, '--check', '--dry-run'], 2, nothing],
  [['apply', ...P], 2, nothing],
  [['export', ...P], 0, targeting],
  [['export', ...P, '--json'], 0, targeting],
  [['export', ...P, '--with-ids'], 0, nothing],
  [['export', ...P, '--fallback'], 0, placed],
  [['export', ...P, '--json', '--with-ids'], 2, nothing],
  [['export'], 2, nothing],
  [['flag', 'list', ...P], 0, targeting],
  [['flag', 'list', ...P], 0, nothing],
  [['flag', 'list', ...P, '--env', 'staging', '--json'], 0, targeting],
  [['flag', 'list', ...P, '--limit', '1', '--json'], 0, targeting],
  [['flag', 'toggle', 'pay', 'off', ...P], 0, targeting],
  [['flag', 'toggle', 'pay', 'off', ...P, '--env', 'staging', '--json'], 0, targeting],
  [['flag', 'toggle', 'pay', 'on', ...P, '--env', 'development'], 1, targeting],
  [['flag', 'toggle', 'none', 'on', ...P, '--json'], 1, nothing],
  [['flag', 'toggle', 'pay', 'maybe', ...P], 2, nothing],
  [['flag', 'list', ...P, '--env', 'test'], 2, nothing],
  [['experiment', 'list', ...P], 0, targeting],
  [['experiment', 'list', ...P, '--json'], 0, targeting],
  [['experiment', 'results', 'paywall', ...P], 0, targeting],
  [['experiment', 'results', 'paywall', ...P, '--json'], 0, targeting],
  [['experiment', 'results', 'none', ...P], 1, nothing],
  [['experiment', 'start', 'draft', ...P], 0, targeting],
  [['experiment', 'pause', 'paywall', ...P, '--json'], 0, targeting],
  [['experiment', 'duplicate', 'paywall', ...P], 0, targeting],
  [['experiment', 'stop', 'paywall', ...P, '--yes'], 0, targeting],
  [['experiment', 'stop', 'paywall', '--winner', 'z', ...P, '--yes'], 1, targeting],
  [['experiment', 'resume', 'paywall', ...P], 1, targeting],
  [['experiment', 'start', 'paywall', ...P, '--json'], 1, targeting],
  [['experiment', 'pause', 'none', ...P], 1, targeting],
  [['experiment', 'stop', 'paywall', ...P], 2, nothing],
  [['grant', '--subscriber', 'svc_ada', '--product', 'pro_yearly', ...P], 0, bought],
  [['grant', '--subscriber', 'svc_ada', '--access', 'pro', '--access', 'coach', ...P, '--json'], 0, bought],
  [
    ['grant', '--subscriber', 'svc_ada', '--access', 'pro', '--until', '2026-12-31T00:00:00Z', '--reason', 'x', ...P],
    0,
    bought,
  ],
  [['grant', '--subscriber', 'svc_ada', '--product', 'gold', ...P], 1, bought],
  [['grant', '--subscriber', 'svc_ada', '--access', 'vip', ...P, '--json'], 1, bought],
  [['grant', '--subscriber', 'svc_ada', '--access', 'pro', '--until', '2020-01-01T00:00:00Z', ...P], 1, bought],
  [['grant', '--subscriber', 'nobody', '--access', 'pro', ...P], 1, bought],
  [['grant', '--subscriber', 'svc_ada', '--access', 'pro', '--reason', 'a'.repeat(201), ...P], 1, bought],
  [['grant', '--subscriber', 'svc_ada', ...P], 2, nothing],
  [['grant', '--access', 'pro', ...P], 2, nothing],
  [['grant', '--audience', 'All users', '--access', 'coach', ...P, '--dry-run'], 0, bought],
  [['grant', '--audience', 'All users', '--access', 'coach', ...P, '--yes'], 0, bought],
  [['grant', '--audience', 'All users', '--access', 'coach', ...P, '--yes', '--json'], 0, bought],
  [['grant', '--audience', 'None', '--access', 'coach', ...P, '--yes', '--json'], 1, bought],
  [['grant', '--audience', 'All users', '--access', 'vip', ...P, '--yes'], 1, bought],
  [['grant', '--audience', 'All users', '--access', 'coach', ...P], 2, nothing],
  [['schedule', 'list', ...P], 0, scheduled],
  [['schedule', 'list', ...P], 0, nothing],
  [['schedule', 'list', '--status', 'pending', ...P, '--json'], 0, scheduled],
  [['schedule', 'list', '--limit', '1', ...P, '--json'], 0, scheduled],
  [['schedule', 'cancel', 'pur_0', '--at', LATER, ...P], 1, nothing],
  [['schedule', 'undo', 'pur_0', ...P, '--json'], 1, nothing],
  [['schedule', 'list', '--status', 'gone', ...P], 2, nothing],
  [['schedule', 'cancel', 'pur_0', ...P], 2, nothing],
  [['key', 'list', ...P], 0, nothing],
  [['key', 'list', ...P, '--json'], 0, nothing],
  [['key', 'create', ...P, '--label', 'web', '--kind', 'public', '--origin', 'https://a.example'], 0, nothing],
  [['key', 'create', ...P, '--rate', '100', '--json'], 0, nothing],
  [['key', 'create', ...P, '--label', 'x'.repeat(300), '--json'], 1, nothing],
  [['key', 'create', ...P, '--origin', 'ftp://a.example'], 1, nothing],
  [['key', 'create', ...P, '--kind', 'red'], 2, nothing],
  [['key', 'update', 'key_0', '--label', 'x', ...P], 1, nothing],
  [['key', 'update', 'key_0', '--rate', '99999999', ...P, '--json'], 1, nothing],
  [['key', 'update', 'key_0', ...P], 2, nothing],
  [['key', 'rotate', 'key_0', '--overlap', '1'], 1, nothing],
  [['key', 'revoke', 'key_0', '--json'], 1, nothing],
  [['refund-shield', 'list', ...P], 0, nothing],
  [['refund-shield', 'list', ...P, '--status', 'sent', '--json'], 0, nothing],
  [['refund-shield', 'list', ...P, '--status', 'lost'], 2, nothing],
  [['store', 'status', ...P], 0, nothing],
  [['store', 'status', ...P, '--json'], 0, nothing],
  [['store', 'connect', 'ios', '--bundle-id', 'com.example.other', '--no-probe', ...P], 0, nothing],
  [['store', 'connect', 'ios', '--app-id', '12', '--no-probe', ...P, '--json'], 0, nothing],
  [['store', 'connect', 'ios', '--bundle-id', '', ...P, '--json'], 1, nothing],
  [['store', 'connect', 'payment', '--mode', 'test', '--secret-key-stdin', ...P], 1, nothing],
  [['store', 'connect', 'android', '--service-account', NEW, ...P], 2, nothing],
  [['store', 'pubsub', 'status', ...P, '--json'], 0, nothing],
  [['store', 'pubsub', 'rotate', ...P], 1, nothing],
  [['store', 'pubsub', 'test', ...P, '--json'], 1, nothing],
  [['store', 'test', ...P, '--wait', '0', '--json'], 1, nothing],
  [['store-events', 'test', ...P, '--wait', '0', '--environment', 'sandbox'], 1, nothing],
  [['store-events', 'list', ...P], 0, failed],
  [['store-events', 'list', ...P, '--from', '2027-01-01T00:00:00+01:00'], 0, failed],
  [['store-events', 'list', '--status', 'failed', '--limit', '1', '--json'], 0, failed],
  [['store-events', 'replay', 'sev_0'], 1, nothing],
  [['store-events', 'replay', ...SPAN, ...P], 1, failed],
  [['store-events', 'replay', ...SPAN, '--status', 'processed', '--json'], 0, failed],
  [['store-events', 'fetch', ...P, '--from', '2020-01-01T00:00:00Z'], 1, nothing],
  [['store-events', 'fetch', ...P, '--store', 'payment', '--json'], 1, nothing],
  [['store-events', 'fetch', ...P, '--store', 'android'], 2, nothing],
  [['simulate', 'status', ...P], 0, nothing],
  [['simulate', 'status', ...P, '--json'], 0, simulated],
  [['simulate', 'purchase', '--device', 'svc_ada', '--product', 'pro_monthly', ...P], 0, nothing],
  [['simulate', 'purchase', '--device', 'svc_ada', '--product', 'coins_100', ...P, '--json'], 0, nothing],
  [['simulate', 'purchase', '--device', 'svc_ada', '--product', 'none', ...P, '--json'], 1, nothing],
  [['simulate', 'renew', '--device', 'svc_ada', ...P], 0, simulated],
  [['simulate', 'upgrade', '--device', 'svc_ada', '--to', 'pro_yearly', ...P, '--json'], 0, simulated],
  [['simulate', 'pause', '--device', 'svc_ada', ...P], 1, simulated],
  [['simulate', 'renew', '--device', 'svc_bo', ...P, '--json'], 1, simulated],
  [['simulate', 'advance', '40d', ...P], 0, simulated],
  [['simulate', 'advance', '40d', ...P, '--json'], 0, simulated],
  [['simulate', 'trouble', '--drop', '0.5', ...P, '--json'], 0, nothing],
  [['simulate', 'deliver', ...P], 0, nothing],
  [['simulate', 'price', '--product', 'pro_monthly', '--price', '12.99', ...P, '--json'], 0, nothing],
  [['simulate', 'promotion', '--code', 'half', '--percent', '50', ...P], 0, nothing],
  [['simulate', 'settle', '--payment', 'fpy_0', ...P], 1, nothing],
  [['simulate', 'seats', '0', '--device', 'svc_ada', ...P], 2, nothing],
  [['sdk-door', 'status', ...P], 0, nothing],
  [['sdk-door', 'enable', ...P, '--test-store', 'on', '--json'], 0, nothing],
  [['sdk-door', 'disable', ...P, '--restore', 'keep'], 0, nothing],
  [['sdk-door', 'enable', ...P, '--restore', 'burn'], 2, nothing],
  [['member', 'list', ...P], 0, nothing],
  [['member', 'list', ...P, '--json'], 0, nothing],
  [['member', 'invitations', ...P, '--json'], 0, nothing],
  [['member', 'invite', 'a@b@c', '--role', 'ADMIN', ...P, '--json'], 1, nothing],
  [['member', 'role', 'ada@example.com', '--role', 'ADMIN', ...P], 1, nothing],
  [['member', 'remove', 'ada@example.com', ...P, '--json'], 1, nothing],
  [['member', 'role', 'ada@example.com', ...P], 2, nothing],
  [['refund', 'pur_0', ...P, '--yes'], 1, nothing],
  [['refund', 'txn_0', ...P, '--yes', '--json'], 1, nothing],
  [['refund', 'abc', ...P, '--yes'], 2, nothing],
  [['refund', 'pur_0', ...P], 2, nothing],
]

/** Ids are new on each stage, and a cursor or a time of a result depends on nothing that is compared. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}/g, '$1_ID')
    .replaceAll(/\bsvc_(pub|sec)_\w+/g, 'svc_$1_KEY')
    .replaceAll(/\b9999\d{16}\b/g, 'TRANSACTION')
    .replaceAll(/(…|"secretLast4":")\w{4}/g, '$1LAST')
    .replace(SCHEMA_LINE, '')
/** Each way names the server at which it was asked. */
const SCHEMA_LINE = /^# yaml-language-server: \$schema=\S+\n/

async function onMachine(args: string[], prepare: Case[2]) {
  const s = await stage()
  try {
    await prepare(s)
    return await runWith(s, args, { env: machineEnv(s) })
  } finally {
    await s.close()
  }
}

async function onServer(args: string[], prepare: Case[2]) {
  const s = await stage()
  const server = listen(s)
  try {
    await prepare(s)
    const env = { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('OWNER') }
    return await runWith(s, args, { env })
  } finally {
    await server.close()
    await s.close()
  }
}

describe('on a server a command says and ends as on the machine itself', () => {
  for (const [args, code, prepare] of CASES)
    test(`svc ${args.join(' ').replaceAll(folder, '').slice(0, 120)} (${prepare.name})`, async () => {
      const [here, there] = [await onMachine(args, prepare), await onServer(args, prepare)]
      expect([here.code, there.code]).toEqual([code, code])
      expect(withoutIds(there.out)).toBe(withoutIds(here.out))
      expect(withoutIds(there.err)).toBe(withoutIds(here.err))
    })
})

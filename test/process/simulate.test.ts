import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Deployment, Deployments, runSvc } from '../support/deployment'

const deployments = new Deployments()
let d: Deployment
beforeAll(async () => {
  d = await deployments.start()
}, 600_000)
afterAll(() => deployments.end(), 600_000)

const simulate = async (...args: string[]) => {
  const { code, out, err } = await runSvc(['simulate', ...args, '--data', d.path, '--json'])
  if (code !== 0) throw new Error(`svc simulate ${args.join(' ')}: ${err}`)
  return JSON.parse(out)
}

async function accessOf(device: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${d.project.publicKey}`, 'x-svc-app-user-id': device }
  const { data } = (await (await fetch(`${d.server.url}/v1/me/access`, { headers })).json()) as {
    data: { access: Record<string, unknown> }
  }
  return Object.keys(data.access)
}

/** Waits for something that a running server does by itself. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await Bun.sleep(100)
}

/** Makes everything due that the test store delays. */
function endDelay(): void {
  const database = new Database(d.file)
  database.run('PRAGMA busy_timeout = 60000')
  database.run('UPDATE simulator_messages SET deliver_at = 0')
  database.close()
}

test('commands go on with one life beside a running server, which sees each change at once', async () => {
  await simulate('purchase', '--device', 'ada', '--product', 'pro_monthly', '--store', 'android')
  expect(await accessOf('ada')).toEqual(['pro'])
  await simulate('renew', '--device', 'ada')
  await simulate('billing-issue', '--device', 'ada', '--no-grace')
  expect(await accessOf('ada')).toEqual([])
  await simulate('recover', '--device', 'ada')
  expect(await accessOf('ada')).toEqual(['pro'])
}, 600_000)

test('a server acknowledges simulated purchases at the test store, and delivers what was delayed', async () => {
  await simulate('purchase', '--device', 'bo', '--product', 'pro_monthly')
  await simulate('trouble', '--delay', '1h', '--duplicate', '2')
  const { told, delivered } = await simulate('refund', '--device', 'bo')
  expect([told, delivered]).toEqual([['REFUND'], []])
  expect(await accessOf('bo')).toEqual(['pro'])
  endDelay()
  await until(async () => (await accessOf('bo')).length === 0)
  await until(async () => (await simulate('status')).waiting.length === 0)
  await simulate('trouble', '--off')
  const { out } = await runSvc(['store-events', 'list', '--data', d.path, '--json'])
  const refunds = (JSON.parse(out).items as { type: string }[]).filter(({ type }) => type === 'REFUND')
  expect(refunds).toHaveLength(1)
  expect(d.server.stderr()).not.toContain('failed')
}, 600_000)

test('and whole months pass without a server', async () => {
  await d.server.kill('SIGTERM')
  const { steps } = await simulate('advance', '70d')
  expect(steps.length).toBeGreaterThan(1)
  d = { ...d, server: await deployments.serve(d.path) }
  expect(await accessOf('ada')).toEqual(['pro'])
}, 600_000)

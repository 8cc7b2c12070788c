import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND, systemClock } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { envOf } from '../support/backup'
import { LIFETIME, MONTHLY, type Stage, stage } from '../support/cast'
import { eventually, TEST_KEY } from '../support/context'
import { identify } from '../support/facts'
import { boughtBefore, copyOf } from '../support/former-rows'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'
import { childEnv, type ServerProcess, startServerProcess, svcCommand, tempFolder } from '../support/process'
import { LATER } from '../support/relink'

// A server keeps answers about access in memory. Commands beside it are processes of their own.

/** Within this time a server must see what another process has written. */
const PROMISED_MS = 2 * SECOND

const LATER_FILE = `
version: 1
products:
  later:
    type: SUBSCRIPTION
    displayName: Later
    period: P1M
    storeIds: { ios: ${LATER.productId} }
    access: [coach]
`

for (const dialect of ['a local file', 'PostgreSQL'] as const)
  describe.skipIf(dialect === 'PostgreSQL' && postgresMissing() !== null)(
    `access that a command changes, on ${dialect}`,
    () => {
      const folder = tempFolder()
      let database: PostgresServer | null = null
      let s: Stage
      let server: ServerProcess
      beforeAll(async () => {
        database = dialect === 'PostgreSQL' ? await startPostgres() : null
        s = await stage({
          now: systemClock.now(), // The processes have the clock of the machine.
          env: database ? { SVC_DATABASE_URL: database.url } : {},
        })
      }, 600_000)
      afterAll(async () => {
        await server?.kill('SIGTERM')
        await s.close()
        await database?.stop()
        folder.remove()
      })

      const env = (): Record<string, string> => ({ ...envOf(s.ctx), SVC_MASTER_KEY: TEST_KEY })
      const accessOf = async (device: string): Promise<string[]> => {
        const headers = { authorization: `Bearer ${s.project.publicKey}`, 'x-svc-app-user-id': device }
        const answer = await fetch(`${server.url}/v1/me/entitlements`, { headers })
        return Object.keys(((await answer.json()) as { data: { entitlements: object } }).data.entitlements).sort()
      }
      /** Asks until it is answered from memory, as an app that asks again and again. */
      const settled = async (device: string) => {
        const before = await accessOf(device)
        for (let ask = 0; ask < 20; ask++) expect(await accessOf(device)).toEqual(before)
        return before
      }
      async function svc(...args: string[]): Promise<void> {
        const child = Bun.spawn([...svcCommand(), ...args, '--project', s.project.id], {
          env: { ...childEnv(), ...env() },
          cwd: folder.path,
          stdout: 'ignore',
          stderr: 'pipe',
        })
        const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
        expect([code, err]).toEqual([0, ''])
      }
      /** Asks again and again while and after the command runs, until the answer is the expected one. */
      async function seenAfter(device: string, expected: string[], ...args: string[]): Promise<void> {
        let isRunning = true
        const command = svc(...args).finally(() => {
          isRunning = false
        })
        while (isRunning) {
          await accessOf(device)
          await Bun.sleep(5)
        }
        await command
        const endedAt = performance.now()
        let seen = await accessOf(device)
        while (seen.join() !== expected.join() && performance.now() - endedAt < 5 * PROMISED_MS) {
          await Bun.sleep(5)
          seen = await accessOf(device)
        }
        expect(seen).toEqual(expected)
        expect(performance.now() - endedAt).toBeLessThan(PROMISED_MS)
      }
      const file = (name: string, content: string): string => {
        const path = join(folder.path, name)
        writeFileSync(path, content)
        return path
      }

      test('is seen by a running server: repair, relink and import', async () => {
        const { SVC_DATA_DIR = '', ...more } = env()
        server = await startServerProcess(SVC_DATA_DIR, more)
        await eventually(async () => (await s.ctx.db.$count(s.ctx.tables.chargeRepairs)) > 0) // It has repaired by itself.
        const life = s.buy(LIFETIME)
        await boughtBefore(s, 'svc_ada', life)
        await s.get('/v1/me', 'svc_ada')
        await identify(s, 'svc_ada', 'ada')
        await boughtBefore(s, 'svc_bo', copyOf(s, life, '3000000000000001'))
        await s.receipt('svc_cy', s.buy(MONTHLY))
        for (const name of ['bo', 'cy']) await identify(s, `svc_${name}`, name)
        expect(await settled('svc_bo')).toEqual(['pro'])
        await seenAfter('svc_bo', [], 'purchases', 'repair')
        expect(await settled('svc_ada')).toEqual(['pro'])

        expect(await settled('svc_cy')).toEqual(['pro'])
        const at = systemClock.now()
        const header = 'subscriberExternalId,store,productIdentifier,purchaseDate,expiresDate,originalTransactionId'
        const row = `cy,ios_store,com.x.pro.yearly,${toIso(at - 1000)},${toIso(at + 1000 * SECOND)},700`
        await seenAfter('svc_cy', ['coach', 'pro'], 'import', file('a.csv', `${header}\n${row}\n`), '--commit')
        const unknown = `bo,ios_store,${LATER.productId},${toIso(at - 1000)},${toIso(at + 1000 * SECOND)},701`
        await svc('import', file('b.csv', `${header}\n${unknown}\n`), '--commit')
        expect(await settled('svc_bo')).toEqual([])
        await svc('apply', '-f', file('svc.yaml', LATER_FILE), '--yes')
        await seenAfter('svc_bo', ['coach'], 'purchases', 'relink')
      }, 300_000)
    },
  )

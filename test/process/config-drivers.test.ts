import { afterAll, expect, test } from 'bun:test'
import { Deployments, runSvc } from '../support/deployment'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { hasSqld, startSqld } from '../support/sqld'

const made = new Deployments()
afterAll(() => made.end(), 600_000)

const DRIVERS: [name: string, isMissing: boolean, env: () => Promise<Record<string, string>>][] = [
  ['a file', false, async () => ({})],
  [
    'a libSQL server',
    !hasSqld(),
    async () => {
      const { url, kill } = await startSqld()
      made.defer(kill)
      return { SVC_DATABASE_URL: url }
    },
  ],
  [
    'PostgreSQL',
    postgresMissing() !== null,
    async () => {
      const { url, stop } = await startPostgres()
      made.defer(stop)
      return { SVC_DATABASE_URL: url }
    },
  ],
]

const FILE = `version: 1
flags:
  pay: { type: STRING, environments: { PROD: { default: a } } }
experiments:
  price:
    name: Price
    type: FLAG
    variants: [{ id: a, name: A, weight: 0.5, value: 1 }, { id: b, name: B, weight: 0.5, value: 2 }]
`
for (const [name, isMissing, start] of DRIVERS)
  test.skipIf(isMissing)(
    `on ${name} a running server answers with what another process has just written`,
    async () => {
      const env = await start()
      const { path, project, server } = await made.start(env)
      const file = `${path}/svc.yaml`
      await Bun.write(file, FILE)
      const config = async (device: string) => {
        const headers = { authorization: `Bearer ${project.publicKey}` }
        const answer = await fetch(`${server.url}/v1/config?subscriberId=${device}`, { headers })
        const { data } = (await answer.json()) as { data: { flags: object; experiments: object } }
        return { flags: data.flags, experiments: Object.keys(data.experiments) }
      }
      const run = async (...args: string[]) => {
        const ran = await runSvc([...args, '--data', path, '--project', project.id], env)
        expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' })
        return ran.out
      }
      const seen = async (wanted: Awaited<ReturnType<typeof config>>) => {
        while (!Bun.deepEquals(await config('svc_a'), wanted)) await Bun.sleep(50)
      }
      expect(await config('svc_a')).toEqual({ flags: {}, experiments: [] }) // The server now has the project in memory.
      await run('apply', '-f', file, '--yes')
      await seen({ flags: { pay: 'a' }, experiments: [] })
      await run('experiment', 'start', 'price')
      await run('flag', 'toggle', 'pay', 'off')
      await seen({ flags: {}, experiments: ['price'] })
      // On a file a thread reads the results. The executable must contain its code as well.
      const headers = { authorization: `Bearer ${project.secretKey}` }
      const results = await fetch(`${server.url}/v1/experiments/price/results`, { headers })
      expect([results.status, await results.json()]).toMatchObject([200, { data: { key: 'price', status: 'RUNNING' } }])
      // Nothing else keeps the process of the command alive.
      expect(await run('experiment', 'results', 'price')).toContain('Keep running: ')
      await server.kill('SIGTERM')
    },
    600_000,
  )

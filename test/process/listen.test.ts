import { afterAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { type Deployment, Deployments, makeDeployment, runSvc } from '../support/deployment'
import { Receiver } from '../support/listening'
import { childEnv, svcCommand } from '../support/process'

const all = new Deployments()
afterAll(() => all.end(), 600_000)

/** A deployment on a port below the range from which systems assign ports, so that it can come back on that port. */
async function startAtPort(): Promise<{ on: Deployment; port: string }> {
  const path = all.folder()
  const project = await makeDeployment({ SVC_DATA_DIR: path })
  for (;;) {
    const port = String(10_000 + Math.floor(Math.random() * 20_000))
    try {
      return { on: { path, file: '', project, server: await all.serve(path, { SVC_PORT: port }) }, port }
    } catch (error) {
      if (!String(error).includes('is in use')) throw error
    }
  }
}

interface Listener {
  out: string[]
  err: string[]
  /** Sends the signal of Ctrl-C; gives the exit code. */
  interrupt(): Promise<number>
}

/** Starts `svc listen` in a folder of its own, without any data, and waits for its secret. */
async function startListener(args: string[], env: Record<string, string>): Promise<Listener> {
  const child = Bun.spawn([...svcCommand(), 'listen', ...args], {
    env: { ...childEnv(), ...env },
    cwd: all.folder(),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  all.defer(() => child.kill('SIGKILL'))
  const [out, err]: [string[], string[]] = [[], []]
  const read = [gather(child.stdout, out), gather(child.stderr, err)]
  await until(() => out.length > 0 || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`svc listen ended: ${err.join('\n')}`)
  return {
    out,
    err,
    async interrupt() {
      child.kill('SIGINT')
      await Promise.all(read)
      return child.exited
    },
  }
}

async function gather(stream: ReadableStream<Uint8Array>, lines: string[]): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  }
}

/** Only the timeout of the test ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(20)
}

async function buy(on: Deployment, device: string): Promise<void> {
  const { code, err } = await runSvc([
    'simulate',
    'purchase',
    '--device',
    device,
    '--product',
    'pro_monthly',
    '--data',
    on.path,
  ])
  if (code !== 0) throw new Error(err)
}

/** Ids of all events that the server has, in their order. */
async function recorded({ server, project }: Deployment): Promise<string[]> {
  const headers = { authorization: `Bearer ${project.secretKey}` }
  const { data } = (await (await fetch(`${server.url}/v1/events`, { headers })).json()) as {
    data: { items: { id: string }[] }
  }
  return data.items.map(({ id }) => id)
}

test('a listener sends what a server records, over its restart without a gap or a repetition', async () => {
  const { on, port } = await startAtPort()
  const receiver = new Receiver()
  all.defer(() => receiver.close())
  await buy(on, 'before')
  const before = await recorded(on)
  const listener = await startListener(['--forward-to', receiver.url], {
    SVC_URL: on.server.url,
    SVC_TOKEN: on.project.secretKey,
  })
  await buy(on, 'ada')
  await until(() => receiver.got.length === 2)

  await on.server.kill('SIGKILL')
  await until(() => listener.err.length > 0)
  await buy(on, 'bo')
  const server = await all.serve(on.path, { SVC_PORT: port })
  await until(() => receiver.got.length === 4)
  await buy(on, 'cy')
  await until(() => receiver.got.length === 6)

  const expected = (await recorded({ ...on, server })).slice(before.length)
  expect(receiver.ids).toEqual(expected)
  const verifier = new Webhook(listener.out[0] ?? '')
  for (const { body, headers } of receiver.got) {
    const content = verifier.verify(body, Object.fromEntries(headers)) as { id: string }
    expect(content.id).toBe(headers.get('webhook-id') ?? '')
  }
  await until(() => listener.out.length === 2 + 6)
  expect(await listener.interrupt()).toBe(0)
  expect(listener.out.at(-1)).toMatch(/^Delivered: 6\. Not delivered: 0\. To continue: --replay-from \S+$/)
  expect(listener.err).toEqual([
    expect.stringContaining(`${on.server.url} does not answer`),
    'Connected again; nothing was left out.',
  ])
}, 600_000)

test('a listener on the machine of the database sends what other processes record', async () => {
  const on = await all.start()
  const receiver = new Receiver()
  all.defer(() => receiver.close())
  const listener = await startListener(['--forward-to', receiver.url, '--data', on.path, '--json'], {})
  await buy(on, 'ada')
  await until(() => receiver.got.length === 2)
  expect(receiver.ids).toEqual(await recorded(on))
  expect(await listener.interrupt()).toBe(0)
  const { secret } = JSON.parse(listener.out[0] ?? '')
  const verifier = new Webhook(secret)
  for (const { body, headers } of receiver.got) verifier.verify(body, Object.fromEntries(headers))
  expect(JSON.parse(listener.out.at(-1) ?? '')).toMatchObject({ failed: 0 })
}, 600_000)

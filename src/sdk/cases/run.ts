import type { Client } from '../core/client'
import type { Options, Storage } from '../core/model'
import { createFakeClock, type FakeClock } from './fake-clock'
import { differenceOf } from './match'
import { settle } from './settle'
import { type Answer, createStandIn, type Recorded, type StandIn } from './stand-in'

/** One step of a case. `README.md` beside the files says what each does. */
export type Step =
  | { call: string; args?: unknown[]; as?: string }
  | { request: Expected; after?: [number, number]; answer: Answer }
  | { returns: string; value?: unknown }
  | { throws: string; error: unknown }
  | { pending: string }
  | { changes: string[] }
  | { claims: unknown[] }
  | { advance: number }
  | { jump: number }
  | { noRequest: true }
  | { restart: true }
  | { storage: 'works' | 'throws' }

interface Expected {
  method: string
  path: string
  headers?: Record<string, unknown>
  body?: unknown
}

export interface Case {
  name: string
  steps: Step[]
}

export interface CaseFile {
  formatVersion: 1
  rule: string
  cases: Case[]
}

export interface Outcome {
  name: string
  /** Null when the case passed, else what was different at which step. */
  fault: string | null
}

/** What the cases need of a client in TypeScript: how one is made. */
export type Configure = (options: Options) => Promise<Client>

/** Runs the cases of a file, one after the other. */
export async function runCases(configure: Configure, { cases }: CaseFile): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const one of cases) outcomes.push({ name: one.name, fault: await runCase(configure, one) })
  return outcomes
}

interface Stage {
  client: Client
  clock: FakeClock
  server: StandIn
  results: Map<string, Promise<{ value?: unknown; error?: unknown }>>
  settled: Map<string, boolean>
  changes: string[]
  claims: unknown[]
  names: Map<string, unknown>
  storage: { isBroken: boolean }
  start(): Promise<void>
}

export async function runCase(configure: Configure, { steps }: Case): Promise<string | null> {
  const stage = createStage(configure)
  await stage.start()
  for (const [index, step] of steps.entries()) {
    const fault = await take(stage, step)
    if (fault) return `step ${index + 1}: ${fault}`
  }
  stage.client.shutdown()
  return null
}

function createStage(configure: Configure): Stage {
  const clock = createFakeClock()
  const server = createStandIn()
  const kept = new Map<string, string>()
  const storage = { isBroken: false }
  const check = () => {
    if (storage.isBroken) throw new Error('QuotaExceededError')
    return kept
  }
  const adapter: Storage = {
    get: (key) => check().get(key) ?? null,
    set: (key, text) => check().set(key, text),
    remove: (key) => check().delete(key),
  }
  const options: Options = {
    apiKey: 'svc_pub_00000000000000000000000000000000',
    baseUrl: 'https://svc.example',
    logLevel: 'off',
    storage: adapter,
    clock,
    fetch: server.fetch,
  }
  const stage: Stage = {
    ...{ clock, server, storage, results: new Map(), settled: new Map(), changes: [], claims: [], names: new Map() },
    client: undefined as unknown as Client,
    async start() {
      stage.client = await configure(options)
      stage.client.on(({ type }) => stage.changes.push(type))
      stage.client.onFunnelClaim((claim) => stage.claims.push(claim))
      // Loads all code of the client, so that no step waits for it.
      await stage.client.loadFallbackPlacements({ formatVersion: 1, placements: {} })
    },
  }
  return stage
}

async function take(stage: Stage, step: Step): Promise<string | null> {
  if ('call' in step) return call(stage, step)
  if ('request' in step) return expectRequest(stage, step)
  if ('returns' in step || 'throws' in step) return expectResult(stage, step)
  if ('advance' in step) return advance(stage, step.advance)
  if ('jump' in step) stage.clock.jump(step.jump)
  if ('storage' in step) stage.storage.isBroken = step.storage === 'throws'
  if ('restart' in step) {
    stage.client.shutdown()
    await stage.start()
  }
  await settle()
  if ('pending' in step) return stage.settled.get(step.pending) ? `${step.pending} has ended already` : null
  if ('noRequest' in step)
    return stage.server.waiting[0] ? `a request was sent: ${describe(stage.server.waiting[0])}` : null
  if ('changes' in step) return differenceOf(step.changes, stage.changes.splice(0), stage.names)
  if ('claims' in step) return differenceOf(step.claims, stage.claims.splice(0), stage.names)
  return null
}

function call(
  { client, results, settled }: Stage,
  { call: name, args = [], as = name }: Extract<Step, { call: string }>,
): null {
  const method = client[name as 'flag'] as (...args: unknown[]) => unknown
  const result = (async () => method(...args))()
  settled.set(as, false)
  const done = <T>(outcome: T): T => {
    settled.set(as, true)
    return outcome
  }
  results.set(
    as,
    result.then(
      (value) => done({ value }),
      (error) => done({ error }),
    ),
  )
  return null
}

async function expectRequest(
  { server, clock, names }: Stage,
  step: Extract<Step, { request: Expected }>,
): Promise<string | null> {
  const [least, most] = step.after ?? [0, 0]
  const since = clock.elapsed()
  await settle()
  while (!server.waiting[0] && clock.elapsed() < since + most) {
    clock.step(since + most)
    await settle()
  }
  const found = server.waiting.shift()
  if (!found) return `no request ${step.request.method} ${step.request.path} within ${most} ms`
  const waited = clock.elapsed() - since
  if (waited < least) return `${describe(found)} came after ${waited} ms, not after ${least}`
  const { headers = {}, ...rest } = step.request
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const difference = differenceOf({ ...rest, headers: named }, found, names, 'request')
  found.answer(step.answer)
  return difference && `${describe(found)}: ${difference}`
}

const describe = ({ method, path }: Recorded): string => `${method} ${path}`

async function expectResult({ results, settled, names }: Stage, step: Step): Promise<string | null> {
  const name = 'returns' in step ? step.returns : 'throws' in step ? step.throws : ''
  await settle()
  if (!settled.get(name)) return `${name} has not ended`
  const { value, error } = (await results.get(name)) ?? {}
  if ('throws' in step)
    return error === undefined ? `${name} gave ${JSON.stringify(value)}` : differenceOf(step.error, error, names)
  if (error !== undefined) return `${name} threw ${error}`
  return 'returns' in step && 'value' in step ? differenceOf(step.value, value, names) : null
}

async function advance({ clock }: Stage, ms: number): Promise<null> {
  const until = clock.elapsed() + ms
  await settle()
  while (clock.step(until)) await settle()
  await settle()
  return null
}

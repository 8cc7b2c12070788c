import { beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseFile } from '../../src/sdk/cases/run'
import { type Describe, readOpenApi } from '../support/openapi-calls'

// What the client sends is held against the OpenAPI document: the cases have every request that it makes.

const FOLDER = join(import.meta.dir, '../../src/sdk/cases')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && name !== 'bucketing.json')

let describeCall: Describe
beforeAll(async () => {
  describeCall = await readOpenApi()
})

/** The requests of all cases, each path with something in place of a name. */
const REQUESTS = FILES.flatMap((file) =>
  (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as CaseFile).cases.flatMap(({ name, steps }) =>
    steps.flatMap((step) =>
      'request' in step && step.request.path !== '<config>' ? [{ told: `${file}: ${name}`, ...step.request }] : [],
    ),
  ),
)

test('the cases have many requests, of at least twelve calls', () => {
  expect(REQUESTS.length).toBeGreaterThan(200)
  expect(new Set(REQUESTS.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).size).toBeGreaterThan(11)
})

test('every request is a call of the API, with no other members in its body', () => {
  for (const { told, method, path, body } of REQUESTS) {
    const described = describeCall(method, `/v1${path.replace(/\?.*/, '')}`)
    expect(described, `${told}: ${method} ${path}`).not.toBeNull()
    const sent = Object.keys((body ?? {}) as object)
    if (sent.length > 0) expect(described?.body?.members, told).toEqual(expect.arrayContaining(sent))
  }
})

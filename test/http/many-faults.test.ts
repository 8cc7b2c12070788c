import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { AppError } from '../../src/base/errors'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { refuseFaults } from '../../src/projects/project/edit'
import { createPlacement } from '../../src/targeting/placements/admin'
import { type Answer, type Stage, stage } from '../support/cast'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

const sentencesOf = ({ status, body }: Answer): string[] => {
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  return body.error.message.split('; ')
}

const setAttributes = (attributes: Record<string, unknown>) =>
  s.call('POST', '/v1/me/attributes', { body: { attributes }, headers: { 'x-svc-app-user-id': 'svc_ada' } })

const badKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`$bad${index}`, 'x']))

describe('one answer tells at most 50 faults', () => {
  test('of attributes, and how many more there are', async () => {
    const many = sentencesOf(await setAttributes(badKeys(30_000)))
    expect(many).toHaveLength(51)
    expect(many[49]).toBe('$bad49: is not a reserved key')
    expect(many[50]).toBe('and 29950 more')
  })

  test('and 50 are all of them', async () => {
    const all = sentencesOf(await setAttributes(badKeys(50)))
    expect(all).toHaveLength(50)
    expect(all.at(-1)).toBe('$bad49: is not a reserved key')
  })

  test('and does not repeat a name of any length', async () => {
    const { body } = await setAttributes({ ['k'.repeat(900_000)]: 'x' })
    expect(body.error.message).toBe(`${'k'.repeat(100)}…: a key has 1 to 40 letters, digits, _, . or -`)
  })

  test('and does not repeat a member of any length', async () => {
    const body = { fromAppUserId: 'a', toAppUserId: 'b', ['k'.repeat(900_000)]: 1 }
    const refused = await s.post('/v1/subscribers/transfer', body, { key: s.project.secretKey })
    expect(refused.status).toBe(400)
    expect(refused.body.error.message.length).toBeLessThan(1100)
  })

  test('of a body that does not fit its schema', async () => {
    const receipts = Array.from({ length: 50 }, () => ({ store: 1, receipt: 2, productId: 3 }))
    const many = sentencesOf(await s.post('/v1/subscribers/svc_ada/restore', { receipts }))
    expect(many).toHaveLength(51)
    expect(many[0]).toStartWith('body/receipts/0/')
    expect(many[50]).toMatch(/^and at least \d+ more$/)
    const few = sentencesOf(await s.post('/v1/subscribers/svc_ada/restore', { receipts: receipts.slice(0, 5) }))
    expect(few).toHaveLength(15)
  })

  test('of what an operator writes: the message and the list of fields', async () => {
    const faults = Array.from({ length: 60 }, (_, index) => ({ path: `rules[${index}]`, message: `fault ${index}` }))
    const refused = await refusalOf(async () => refuseFaults(faults))
    expect(refused.details?.fields).toHaveLength(50)
    expect(refused.message.split('; ')).toEqual([...faults.slice(0, 50).map(({ message }) => message), 'and 10 more'])
  })

  test('of the rows of a placement', async () => {
    const rows = Array.from({ length: 50 }, () => ({
      audienceId: '',
      target: { type: 'funnel' as const, funnelId: '' },
    }))
    const placement = { identifier: '!', name: '', rows }
    const refused = await refusalOf(() => createPlacement(s.ctx, s.project.id, placement, CLI_ACTOR))
    expect(refused.message.split('; ')).toHaveLength(51)
    expect(refused.message).toEndWith('; and 52 more')
  })
})

async function refusalOf(work: () => Promise<unknown>): Promise<AppError<'VALIDATION_ERROR'>> {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw error ?? new Error('nothing was refused')
  expect(error.refusal).toBe('VALIDATION_ERROR')
  return error as AppError<'VALIDATION_ERROR'>
}

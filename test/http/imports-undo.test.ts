import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import type { ImportStatus } from '../../src/moving/imports/model'
import { importSteps } from '../../src/moving/imports/steps'
import { touchSubscribers } from '../../src/people/subscribers/queries'
import { type Stage, stage } from '../support/cast'
import { type ImportStage, importStage, rowsOf } from '../support/import-stage'
import { digestOf } from '../support/imports'
import type { StaffRole } from '../support/staff'

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
})
afterEach(() => s.close())

/** Changes are limited to five a minute. */
const later = () => s.ctx.clock.advance(MINUTE + 1)

async function tried(content = rowsOf(5)): Promise<string> {
  later()
  const { id } = await i.make(content)
  await i.act(id, 'dry-run')
  await i.worked(id)
  return id
}

async function committed(content = rowsOf(5)): Promise<string> {
  const id = await tried(content)
  await i.act(id, 'commit')
  expect((await i.worked(id)).status).toBe('COMPLETED')
  return id
}

const undo = (id: string, as: StaffRole = 'ADMIN') => {
  later()
  return i.act(id, 'undo', as)
}

const put = (id: string, change: object) =>
  s.ctx.write((tx) => tx.db.update(tx.tables.importJobs).set(change).where(eq(tx.tables.importJobs.id, id)))

const undoRows = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)).filter(
    ({ action }) => action === 'import.undo',
  )

const peopleCount = async () => (await s.ctx.db.select().from(s.ctx.tables.subscribers)).length

describe('undo', () => {
  test('takes back what the import has brought, and says how much', async () => {
    const before = await digestOf(s)
    const id = await committed()
    expect(await peopleCount()).toBe(5)
    const answer = await undo(id)
    expect(answer.status).toBe(202)
    expect(answer.body.data).toMatchObject({ status: 'UNDOING', undoneAt: null, undone: null })
    const done = await i.worked(id)
    expect(done).toMatchObject({
      ...{ status: 'CANCELLED', undone: { purchasesRemoved: 5, purchasesChanged: 0, subscribersRemoved: 5 } },
      counters: { purchasesNew: 5 },
    })
    expect(done.undoneAt).not.toBeNull()
    expect(await digestOf(s)).toEqual(before)
  })

  test('takes back the copies that it brought of a purchase of an earlier import, with their ids', async () => {
    const header = 'subscriberExternalId,store,productIdentifier,purchaseDate,originalTransactionId,storeTransactionId'
    const fileOf = (...ids: string[]) =>
      [header, ...ids.map((id) => `ada,ios_store,com.x.lifetime,2026-11-01,30,${id}`), ''].join('\n')
    const aliases = async () => (await s.ctx.db.select().from(s.ctx.tables.purchaseAliases)).map(({ alias }) => alias)
    await committed(fileOf('30'))
    const before = await digestOf(s)
    const id = await committed(fileOf('31', '32'))
    expect((await aliases()).sort()).toEqual(['31', '32'])
    const { purchases, transactions } = s.ctx.tables
    expect([await s.ctx.db.$count(purchases), await s.ctx.db.$count(transactions)]).toEqual([1, 1])
    await undo(id)
    expect((await i.worked(id)).undone).toMatchObject({ purchasesRemoved: 0, purchasesChanged: 1 })
    expect(await aliases()).toEqual([])
    expect(await digestOf(s)).toEqual(before)
  })

  test('has one audit row, which names who asked for it', async () => {
    const id = await committed()
    await undo(id, 'OWNER')
    await i.worked(id)
    expect(await undoRows()).toMatchObject([
      { actor: { kind: 'USER', id: 'usr_owner' }, target: { id }, after: { status: 'UNDOING' } },
    ])
  })

  test('works when the files are deleted', async () => {
    const id = await committed()
    await put(id, { filesDeletedAt: s.ctx.clock.now() })
    expect((await undo(id)).status).toBe(202)
    expect((await i.worked(id)).undone.subscribersRemoved).toBe(5)
  })

  test('takes back an import that was cancelled or tried again after it had written', async () => {
    const id = await committed()
    await i.act(id, 'dry-run')
    expect((await i.worked(id)).status).toBe('DRY_RUN_COMPLETE')
    expect((await undo(id)).status).toBe(202)
    await i.worked(id)
    expect(await peopleCount()).toBe(0)
  })

  test('is possible again after the import was written again', async () => {
    const id = await committed()
    await undo(id)
    await i.worked(id)
    later()
    await i.act(id, 'dry-run')
    await i.worked(id)
    expect((await undo(id)).body.error.code).toBe('CONFLICT')
    await i.act(id, 'commit')
    expect(await i.worked(id)).toMatchObject({ status: 'COMPLETED', undoneAt: null, undone: null })
    expect(await peopleCount()).toBe(5)
    expect((await undo(id)).status).toBe(202)
    expect((await i.worked(id)).undone.subscribersRemoved).toBe(5)
  })

  test('leaves a person who was seen after the rows were first written, though they were written twice', async () => {
    const header = rowsOf(0).trimEnd()
    const id = await committed(`${header},deviceKey\np1,ios_store,com.x.pro.monthly,2026-01-01,1,svc_known\n`)
    later()
    const [person] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    await s.ctx.write((tx) => touchSubscribers(tx, [person?.id ?? ''], tx.clock.now()))
    later()
    await i.act(id, 'dry-run')
    await i.worked(id)
    await i.act(id, 'commit')
    await i.worked(id)
    await undo(id)
    expect((await i.worked(id)).undone).toMatchObject({ purchasesRemoved: 1, subscribersRemoved: 0 })
    expect(await peopleCount()).toBe(1)
  })

  test('goes on after a crash, and its numbers count everything once', async () => {
    const id = await committed(rowsOf(250))
    await undo(id)
    let batches = 0
    s.ctx.state.importSteps = {
      ...importSteps,
      undoImport: (ctx, project, job, write) =>
        importSteps.undoImport(ctx, project, job, (batch) =>
          write(async (tx) => {
            const undone = await batch(tx)
            if (++batches === 2) throw new Error('the process ends here')
            return undone
          }),
        ),
    }
    const failed = await i.worked(id)
    expect(failed).toMatchObject({ status: 'FAILED', undoneAt: null, undone: { purchasesRemoved: 100 } })
    expect(failed.failure).toMatch(/Take it back once more/)
    s.ctx.state.importSteps = importSteps
    expect((await undo(id)).status).toBe(202)
    const undone = { purchasesRemoved: 250, purchasesChanged: 0, subscribersRemoved: 250 }
    expect(await i.worked(id)).toMatchObject({ status: 'CANCELLED', undone })
    expect(await peopleCount()).toBe(0)
  })
})

describe('undo is refused', () => {
  test.each(['DRY_RUN_RUNNING', 'RUNNING', 'VERIFYING', 'UNDOING'] satisfies ImportStatus[])(
    'in state %s',
    async (status) => {
      const id = await tried()
      await put(id, { status, committedAt: 1 })
      const answer = await undo(id)
      expect([answer.status, answer.body.error.code]).toEqual([409, 'IMPORT_JOB_STATE'])
      expect(answer.body.error.details).toEqual({ action: 'undo', state: status })
      expect(await undoRows()).toEqual([])
    },
  )

  test('when nothing was written', async () => {
    const id = await tried()
    const answer = await undo(id)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'IMPORT_JOB_STATE'])
    expect(answer.body.error.details).toEqual({ action: 'undo', state: 'DRY_RUN_COMPLETE' })
    expect(await undoRows()).toEqual([])
  })

  test('when the import is taken back already', async () => {
    const id = await committed()
    await undo(id)
    await i.worked(id)
    const answer = await undo(id)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(await undoRows()).toHaveLength(1)
  })

  test('for another revision, another project and members who may not import', async () => {
    const id = await committed()
    later()
    const headers = { 'if-match': '"1"' }
    expect((await i.team.as('ADMIN').post(`/imports/${id}/undo`, {}, { headers })).body.error.code).toBe('CONFLICT')
    for (const role of ['DEVELOPER', 'SUPPORT_READ'] as const) expect((await undo(id, role)).status).toBe(403)
    await put(id, { projectId: s.other.id })
    expect((await undo(id)).status).toBe(404)
    expect([(await undoRows()).length, await peopleCount()]).toEqual([0, 5])
  })

  test('with members in its body', async () => {
    const id = await committed()
    later()
    const answer = await i.team.as('ADMIN').post(`/imports/${id}/undo`, { force: true })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('while an import is taken back, nothing else is done with it', async () => {
  const id = await committed()
  await undo(id)
  for (const action of ['dry-run', 'commit', 'resume', 'cancel']) {
    later()
    const answer = await i.act(id, action)
    expect([action, answer.status, answer.body.error?.code]).toEqual([action, 409, 'IMPORT_JOB_STATE'])
  }
  later()
  const mapping = await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, { options: { skipSandbox: false } })
  expect(mapping.body.error.code).toBe('IMPORT_JOB_STATE')
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { AppError } from '../../src/base/errors'
import { toIso } from '../../src/base/lib/time'
import type { Actor } from '../../src/projects/audit/audit'
import { verifyAudit } from '../../src/projects/audit/audit'
import { createOffering, deleteOffering, updateOffering } from '../../src/projects/catalog/admin/offerings'
import { createAudience, deleteAudience, getAudienceView } from '../../src/targeting/audiences/admin'
import { ALL_USERS, listAudiences } from '../../src/targeting/audiences/service'
import {
  createPlacement,
  deletePlacement,
  type PlacementInput,
  updatePlacement,
} from '../../src/targeting/placements/admin'
import { fallbackExport } from '../../src/targeting/placements/fallback'
import type { PlacementRow } from '../../src/targeting/placements/model'
import { getPlacement, listPlacements } from '../../src/targeting/placements/service'
import { type Stage, stage } from '../support/cast'
import { clearPlacements, EXPERIMENT, FUNNEL, NONE, place } from '../support/placements'
import { clearRemote, configure } from '../support/remote'
import { by, refused } from '../support/targeting'

let s: Stage
let everybody: string
beforeAll(async () => {
  s = await stage()
  everybody = (await listAudiences(s.ctx, s.project.id)).find(({ name }) => name === ALL_USERS)?.id ?? ''
})
afterEach(async () => {
  const { audiences } = s.ctx.tables
  await clearPlacements(s)
  const kept = await s.ctx.db.select().from(audiences).where(eq(audiences.isDefault, true))
  await clearRemote(s)
  await s.ctx.write((tx) => tx.db.insert(audiences).values(kept))
})
afterAll(() => s.close())

const MEMBER: Actor = { kind: 'USER', id: 'usr_1', email: 'growth@example.com' }
const create = (input: Partial<PlacementInput> = {}, projectId = s.project.id) =>
  createPlacement(s.ctx, projectId, { identifier: 'onboarding', name: 'Onboarding', rows: [], ...input }, MEMBER)
const update = (id: string, input: object, projectId = s.project.id) =>
  updatePlacement(s.ctx, projectId, id, input as Partial<PlacementInput>, MEMBER)

async function saved() {
  const { placements, auditLog, projects } = s.ctx.tables
  return {
    placements: await s.ctx.db.select().from(placements).orderBy(placements.id),
    audit: await s.ctx.db.$count(auditLog),
    versions: await s.ctx.db.select({ version: projects.configVersion }).from(projects).orderBy(projects.id),
  }
}

/** The refusal of a change; expects that nothing was written. */
async function refusal(work: () => Promise<unknown>) {
  const before = await saved()
  const error = await work().then(
    () => null,
    (thrown) => thrown,
  )
  expect(await saved()).toEqual(before)
  if (!(error instanceof AppError)) throw new Error(`not refused: ${error}`)
  return [error.status, error.refusal, error.details]
}

const shown = async () => (await s.get('/v1/placements/onboarding')).body.data

describe('what is written', () => {
  test('a new one is in revision 1, and every edit that changes something adds 1', async () => {
    await place(s, { funnels: [{ id: 'fnl_1' }] })
    const made = await create()
    expect(made.id).toMatch(/^plc_[0-9a-z]{26}$/)
    expect(made).toMatchObject({ revision: 1, isActive: true })
    expect((await shown()).placement).toEqual({ identifier: 'onboarding', revision: 1 })
    expect((await update(made.id, { rows: [FUNNEL('fnl_1', everybody), NONE] })).revision).toBe(2)
    expect(await shown()).toMatchObject({ placement: { revision: 2 }, funnel: { id: 'fnl_1' } })
    expect((await update(made.id, { isActive: false, name: 'Off' })).revision).toBe(3)
    expect((await shown()).placement).toBeNull()
    expect(await getPlacement(s.ctx, s.project.id, made.id)).toMatchObject({
      revision: 3,
      name: 'Off',
      isActive: false,
    })
  })

  test('an edit that changes nothing writes nothing', async () => {
    const made = await create({ rows: [NONE] })
    const before = await saved()
    s.ctx.clock.advance(1000)
    for (const same of [{}, { name: 'Onboarding' }, { rows: [NONE], isActive: true }])
      expect((await update(made.id, same)).revision).toBe(1)
    expect(await saved()).toEqual(before)
  })

  test('each change is one audit row of the one who made it, in the chain', async () => {
    const { auditLog } = s.ctx.tables
    const { id } = await create()
    await update(id, { name: 'Other' })
    await deletePlacement(s.ctx, s.project.id, id, MEMBER)
    const rows = await s.ctx.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, s.project.id))
      .orderBy(auditLog.position)
    const last = rows.slice(-3)
    expect(last.map(({ action }) => action)).toEqual(['placement.create', 'placement.update', 'placement.delete'])
    expect(last[1]).toMatchObject({
      actor: MEMBER,
      target: { type: 'placement', id },
      before: { name: 'Onboarding' },
      after: { name: 'Other' },
    })
    expect((await verifyAudit(s.ctx, s.project.id)).ok).toBe(true)
  })

  test('the same identifier may stand in another project, and the list is each one’s own', async () => {
    const own = await create()
    const foreign = await create({}, s.other.id)
    expect((await listPlacements(s.ctx, s.project.id)).map(({ id }) => id)).toEqual([own.id])
    expect(foreign.revision).toBe(1)
  })

  test('an audience cannot be deleted as long as a row names it', async () => {
    const { id: audienceId } = await createAudience(s.ctx, by(s), { name: 'Turkey', rules: { country: 'TR' } })
    const { id } = await create({ rows: [{ audienceId, target: { type: 'none' } }] })
    const references = [{ type: 'placement', id, name: 'onboarding' }]
    expect(await refused(s, () => deleteAudience(s.ctx, by(s), audienceId))).toMatchObject({
      code: 'audience_in_use',
      details: { references },
    })
    expect((await getAudienceView(s.ctx, s.project.id, audienceId)).references).toEqual(references as never)
    await updatePlacement(s.ctx, s.project.id, id, { rows: [] }, MEMBER)
    await deleteAudience(s.ctx, by(s), audienceId)
  })
})

describe('an offering as a target', () => {
  const showing = (offeringId: string): PlacementRow[] => [
    { audienceId: null, target: { type: 'offering', offeringId } },
  ]

  test('it is shown as the offering itself, also in the fallback export, and follows every change of it', async () => {
    const { id } = await createOffering(s.ctx, by(s), { identifier: 'turkey', metadata: { a: 1 } })
    const made = await create({ rows: showing(id) })
    const offering = (await s.get('/v1/offerings/turkey')).body.data
    expect(await shown()).toEqual({
      placement: { identifier: 'onboarding', revision: 1 },
      funnel: null,
      experiment: null,
      offering,
    })
    const file = await fallbackExport(s.ctx, await s.ctx.state.projects.get(s.project.id))
    expect(file.placements.onboarding?.offering as unknown).toEqual(offering)
    await updateOffering(s.ctx, by(s), id, { identifier: 'turkiye', metadata: { a: 2 } })
    expect((await shown()).offering).toMatchObject({ identifier: 'turkiye', metadata: { a: 2 } })
    expect(await refused(s, () => deleteOffering(s.ctx, by(s), id))).toMatchObject({ code: 'CONFLICT' })
    await deletePlacement(s.ctx, s.project.id, made.id, MEMBER)
    await deleteOffering(s.ctx, by(s), id)
  })

  test('one that this project does not have is refused, and one that is lost falls to the next row', async () => {
    const foreign = await createOffering(s.ctx, { ...by(s), projectId: s.other.id }, { identifier: 'theirs' })
    const { id } = await create()
    for (const offeringId of ['off_none', foreign.id])
      for (const work of [
        () => create({ identifier: 'new', rows: showing(offeringId) }),
        () => update(id, { rows: showing(offeringId) }),
      ])
        expect(await refusal(work)).toEqual([400, 'VALIDATION_ERROR', undefined])
    await place(s, { placements: [{ identifier: 'lost', rows: showing('off_none') }] })
    expect((await s.get('/v1/placements/lost')).body.data).toMatchObject({
      placement: { identifier: 'lost' },
      offering: null,
    })
  })
})

describe('what is refused, and writes nothing', () => {
  const invalid = [400, 'VALIDATION_ERROR', undefined]
  const shapes: [what: string, input: object][] = [
    ['an identifier that is none', { identifier: 'a b' }],
    ['a name that is blank', { name: ' ' }],
    ['a row for everyone above another', { rows: [NONE, { audienceId: 'aud_1', target: { type: 'none' } }] }],
    ['two rows for everyone', { rows: [NONE, NONE] }],
    ['an unknown target', { rows: [{ audienceId: null, target: { type: 'paywall' } }] }],
    ['51 rows', { rows: Array(51).fill({ audienceId: 'aud_1', target: { type: 'none' } }) }],
    ['a switch that is none', { isActive: 'yes' }],
  ]
  test.each(shapes)('%s', async (_what, input) => {
    expect(await refusal(() => create(input as Partial<PlacementInput>))).toEqual(invalid)
    const { id } = await create({ identifier: 'there' })
    expect(await refusal(() => update(id, input))).toEqual(invalid)
  })

  test('rows that name what this project does not have, or the wrong kind of it', async () => {
    await configure(s, { experiments: [{ id: 'exp_flags', key: 'flags' }] })
    await configure(
      s,
      { audiences: [{ id: 'aud_other' }], experiments: [{ id: 'exp_other', type: 'FUNNEL' }] },
      s.other.id,
    )
    await place(s, { funnels: [{ id: 'fnl_1' }] }, s.other.id)
    const { id } = await create({ identifier: 'there' })
    const cases: [rows: PlacementRow[], kind: string, ids: string[]][] = [
      [[FUNNEL('fnl_1', 'aud_other')], 'audience', ['aud_other']],
      [[FUNNEL('fnl_1', everybody), FUNNEL('fnl_gone')], 'funnel', ['fnl_1', 'fnl_gone']],
      [[EXPERIMENT('exp_other')], 'experiment', ['exp_other']],
      [[EXPERIMENT('exp_flags')], 'experimentType', ['exp_flags']],
    ]
    for (const [rows, kind, ids] of cases)
      for (const work of [() => create({ rows }), () => update(id, { rows })])
        expect(await refusal(work)).toEqual([400, 'INVALID_ROW_REF', { kind, ids }])
  })

  test('an identifier that is in use', async () => {
    const { id } = await create()
    await create({ identifier: 'other' })
    const taken = (identifier: string) => [409, 'IDENTIFIER_TAKEN', { resource: 'placement', identifier }]
    expect(await refusal(() => create())).toEqual(taken('onboarding'))
    expect(await refusal(() => update(id, { identifier: 'other' }))).toEqual(taken('other'))
  })

  test('the 201st', async () => {
    await place(s, { placements: Array.from({ length: 200 }, (_, index) => ({ identifier: `p${index}`, rows: [] })) })
    expect(await refusal(() => create())).toEqual([409, 'CONFLICT', undefined])
  })

  test('one that is not there, is another project’s, or was deleted before', async () => {
    const { id } = await create()
    const gone = [404, 'NOT_FOUND', undefined]
    for (const [projectId, ref] of [
      [s.project.id, 'plc_none'],
      [s.other.id, id],
    ] as const) {
      expect(await refusal(() => getPlacement(s.ctx, projectId, ref))).toEqual(gone)
      expect(await refusal(() => update(ref, { name: 'x' }, projectId))).toEqual(gone)
      expect(await refusal(() => deletePlacement(s.ctx, projectId, ref, MEMBER))).toEqual(gone)
    }
    await deletePlacement(s.ctx, s.project.id, id, MEMBER)
    expect(await refusal(() => deletePlacement(s.ctx, s.project.id, id, MEMBER))).toEqual(gone)
    expect(await refusal(() => create({}, 'prj_none'))).toEqual(gone)
  })

  test('two at once: one is made, the other is told', async () => {
    const made = await Promise.allSettled([create(), create()])
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listPlacements(s.ctx, s.project.id)).toHaveLength(1)
  })
})

describe('the fallback export', () => {
  test('holds every active placement as an anonymous caller sees it, and no other', async () => {
    await configure(s, {
      audiences: [{ id: 'aud_tr', rules: { country: 'TR' } }],
      experiments: [
        {
          id: 'exp_1',
          key: 'onboarding_test',
          type: 'FUNNEL',
          variants: [
            { id: 'a', name: 'Long', weight: 0.5, value: { funnelId: 'fnl_1' } },
            { id: 'b', name: 'Short', weight: 0.5, value: { funnelId: 'fnl_2' } },
          ],
        },
      ],
    })
    await place(s, {
      funnels: [{ id: 'fnl_1' }, { id: 'fnl_2' }],
      placements: [
        { identifier: 'z', rows: [FUNNEL('fnl_1', 'aud_tr'), FUNNEL('fnl_2')] },
        { identifier: 'test', rows: [EXPERIMENT('exp_1')] },
        { identifier: 'a', rows: [NONE] },
        { identifier: 'off', isActive: false, rows: [FUNNEL('fnl_1')] },
      ],
    })
    await place(s, { placements: [{ identifier: 'foreign', rows: [NONE] }] }, s.other.id)
    const file = await fallbackExport(s.ctx, await s.ctx.state.projects.get(s.project.id))
    const { placements, ...head } = file
    expect(head).toEqual({ formatVersion: 1, generatedAt: toIso(s.ctx.clock.now()), projectId: s.project.id })
    expect(Object.keys(placements)).toEqual(['a', 'test', 'z'])
    for (const [identifier, answer] of Object.entries(placements))
      expect(answer as unknown).toEqual((await s.get(`/v1/placements/${identifier}`)).body.data)
    expect(placements.z?.funnel?.id).toBe('fnl_2')
    expect(placements.test?.experiment).toMatchObject({ bucketingId: null, assignedVariantId: null })
  })

  test('of a project without placements is empty', async () => {
    const file = await fallbackExport(s.ctx, await s.ctx.state.projects.get(s.project.id))
    expect(file.placements).toEqual({})
  })
})

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestContext, testContext } from '../../../test/support/context'
import { personOf } from '../../../test/support/erased'
import { slice } from '../../base/slice'
import { createProject } from '../../projects/project/service'
import type { ProjectState } from '../../projects/project/state'
import { SLICES } from '../../slices'
import { identify } from './identify'
import type { Handover, MovedParts } from './on-merge'
import { undoTransfer } from './undo'

let ctx: TestContext
let project: ProjectState
let steps: [step: string, from: string, to: string, moved?: MovedParts][] = []

const idsOf = ({ from, to }: Handover) => [from.id, to.id] as const

/** A slice that moves nothing and records its calls in `steps`. */
const diary = slice({
  name: 'diary',
  onMerge: {
    async merge(_tx, handover) {
      steps.push(['merge', ...idsOf(handover)])
      return { moved: {} }
    },
    async afterMerge(_tx, handover, moved) {
      steps.push(['afterMerge', ...idsOf(handover), moved])
      return { moved: {} }
    },
    async undo(_tx, handover, { moved }) {
      steps.push([moved.isMerge ? 'undo a merge' : 'undo a move', ...idsOf(handover)])
      return { moved: {} }
    },
  },
  async onErase(_tx, { id: projectId }, { id }) {
    steps.push(['erase', projectId, id])
    return {}
  },
  onExport: (_handle, _project, { row }) => ({
    'telemetry.jsonl': (async function* () {
      yield { diary: `of ${row.id}` }
    })(),
  }),
})

beforeEach(async () => {
  steps = []
  ctx = await testContext({ slices: [...SLICES, diary] })
  const { project: made } = await createProject(ctx, { name: 'Sleep' })
  project = (await ctx.state.projects.find(made.id)) as ProjectState // Made just above.
})
afterEach(() => ctx.close())

const bind = (deviceKey: string) =>
  identify(ctx, project, { deviceKey, label: 'ada', creation: null, requestId: `req_${deviceKey}` })

test('a slice of any place in the list takes part in a merge and in its undo', async () => {
  const { subscriberId: first } = await bind('svc_first')
  expect(steps).toEqual([])
  const { subscriberId: second } = await bind('svc_second')
  const moved = { purchaseIds: [], credits: {}, experimentIds: [], experimentsDropped: [] }
  const all = { ...moved, assignmentsDropped: [], assignmentsJoined: [] }
  expect(steps).toEqual([
    ['merge', first, second],
    ['afterMerge', first, second, all],
  ])
  const [transfer] = await ctx.db.select().from(ctx.tables.transfers) // `identify` does not return the transfer's id.
  await undoTransfer(ctx, project, transfer?.id ?? '', { requestId: 'req_undo', actor: null })
  expect(steps.at(-1)).toEqual(['undo a merge', first, second])
  // An undo must be able to read the rows of older releases, so the names and the order of the members stay the same.
  expect(JSON.stringify(transfer?.moved)).toBe(
    JSON.stringify({
      ...{ isMerge: true, label: 'ada', labelGiven: true, ...moved, attributeKeys: [] },
      ...{ assignmentsDropped: [], assignmentsJoined: [], repointedIds: [], labelBefore: null },
    }),
  )
})

test('a slice adds what it does at an erasure and to the data of a person', async () => {
  const { subscriberId } = await bind('svc_first')
  const [row] = await ctx.db.select().from(ctx.tables.subscribers)
  if (!row) throw new Error('nobody is there')
  await ctx.write(async (tx) => {
    for (const erase of tx.hooks.onErase ?? []) await erase(tx, project, row, personOf(row))
  })
  expect(steps).toEqual([['erase', project.id, subscriberId]])
  const exported = (ctx.hooks.onExport ?? []).flatMap(
    (give) => give(ctx, project, { row, ids: [row.id], texts: [] }, ctx)['telemetry.jsonl'] ?? [],
  )
  const rows: object[] = []
  for (const part of exported) for await (const one of part) rows.push(one)
  expect(rows).toEqual([{ diary: `of ${subscriberId}` }])
})

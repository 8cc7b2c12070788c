import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MINUTE } from '../../src/base/lib/clock'
import { OPERATORS } from '../../src/core/funnel/model'
import { readPages } from '../../src/core/funnel/pages'
import { takeStep, type Visit } from '../../src/core/funnel/step'
import { type Stage, stage } from '../support/cast'
import { placesOf } from '../support/funnel-evaluator'
import { answerOf, type Field, type Journey, journeys, OPTION_VALUES, type Page } from '../support/funnel-law'
import { begin } from '../support/funnels'
import { LAW_PATIENCE_MS, SEED, SEEDED } from '../support/laws'
import { dataOf } from '../support/operator'
import { moreInRelease } from '../support/release'
import { type StaffCalls, staff } from '../support/staff'

// Generated funnels are published, and a visitor goes through each. A second evaluator says where they must be.

const RUNS = Number(process.env.SVC_LAW_RUNS ?? moreInRelease(100, 1000))

let s: Stage
let dev: StaffCalls
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_RATE_IP: '0' } })
  dev = staff(s).as('DEVELOPER')
})
afterAll(() => s.close())

const today = (): string => new Date(s.ctx.clock.now()).toISOString().slice(0, 10)

const toField = ({ id, kind }: Field) => ({
  ...{ id, kind, required: false },
  ...((kind === 'single' || kind === 'multi') && {
    options: Object.entries(OPTION_VALUES).map(([option, value]) => ({ id: option, label: { en: option }, value })),
  }),
})

const toPage = ({ id, fields, rules, default: last }: Page) => ({
  ...{ id, type: 'question', title: { en: id }, fields: fields.map(toField) },
  next: { rules, default: last },
})

/** The pages on which the server puts the visitor. */
async function walk({ pages, moves }: Journey): Promise<(string | null)[]> {
  const { id } = await dataOf(dev.post('/funnels', { slug: 'law', name: 'Law', pages: pages.map(toPage) }))
  await dataOf(dev.post(`/funnels/${id}/publish`, {}))
  const session = await begin(s, 'law')
  const places: (string | null)[] = []
  let here = (await dataOf(session.state())).current_page_id
  for (const move of moves) {
    if (move.isBack) here = (await dataOf(session.post('back'))).page_id
    else {
      const fields = pages.find((page) => page.id === here)?.fields ?? []
      const given = fields.map((field, index) => [field.id, answerOf(field, move.picks[index] ?? 0, today())] as const)
      const answers = Object.fromEntries(given.filter(([, answer]) => answer !== undefined))
      await dataOf(session.post('answers', { page_id: here, answers }))
      const { next, page_id } = await dataOf(session.post('advance', { page_id: here }))
      here = next === 'end' ? null : page_id
    }
    places.push(here)
    if (here === null) break
  }
  expect((await dev.delete(`/funnels/${id}`)).status).toBeLessThan(300)
  return places
}

const parameters = (numRuns: number) => ({
  ...{ seed: SEED, numRuns },
  ...(process.env.SVC_LAW_PATH !== undefined && { path: process.env.SVC_LAW_PATH }),
})

/** Where the pure core leads. */
function walkAlone({ pages, moves }: Journey, day: string): (string | null)[] {
  const read = readPages(pages.map(toPage))
  expect(read.faults).toEqual([])
  const places: (string | null)[] = []
  let visit: Visit = { path: [pages[0]?.id ?? ''], answers: {} }
  for (const move of moves) {
    const fields = pages.find(({ id }) => id === visit.path.at(-1))?.fields ?? []
    const picked = move.isBack
      ? []
      : fields.map((field, index) => [field.id, answerOf(field, move.picks[index] ?? 0, day)])
    const given = Object.fromEntries(picked.filter(([, answer]) => answer !== undefined))
    const result = takeStep(read.pages, visit, { action: { type: move.isBack ? 'back' : 'next' }, given, today: day })
    visit = result.visit
    places.push(result.kind === 'page' ? result.page.id : null)
    if (result.kind !== 'page') break
  }
  return places
}

describe(`laws ${SEEDED}`, () => {
  test('generated funnels lead each visitor as the text of the specification says, with each operator', () => {
    const reached = new Set<string>()
    const law = fc.property(journeys('2026-11-29'), (journey) => {
      const told = placesOf(journey, '2026-11-29', ({ op, holds }) => reached.add(`${op} ${holds}`))
      expect(walkAlone(journey, '2026-11-29')).toEqual(told)
    })
    fc.assert(law, parameters(20 * RUNS))
    const wanted = OPERATORS.flatMap((op) => [`${op} true`, `${op} false`])
    if (RUNS >= 100) expect(wanted.filter((key) => !reached.has(key))).toEqual([])
  })

  test(
    'published, they lead each visitor of the server there too, also back and on another way',
    async () => {
      const law = fc.asyncProperty(journeys(today()), async (journey) => {
        s.ctx.clock.advance(2 * MINUTE) // The calls of an address are counted by the minute.
        const day = today()
        expect(await walk(journey)).toEqual(placesOf(journey, day))
      })
      await fc.assert(law, parameters(RUNS))
    },
    LAW_PATIENCE_MS,
  )
})

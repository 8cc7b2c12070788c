import type { Context } from '../../base/context'
import { listAnswer, readCursor } from '../../base/http/list'
import { toScannedList } from '../../base/http/scan'
import { listRevisions } from '../../projects/audit/revisions'
import { operator } from '../../projects/doors/operator'
import type { Hit } from '../../projects/project/search-hook'
import type { ProjectState } from '../../projects/project/state'
import { PersonParams } from '../subscribers/operator-wire'
import { listPeople } from './list'
import { getPersonWithAll } from './person'
import {
  HitSchema,
  ListedSubscriber,
  PeopleQuery,
  PersonAnswer,
  SearchQuery,
  toHitView,
  toListedView,
  toPersonView,
} from './wire'

const tags = ['People']

/** Search over a whole project, the list of its subscribers, and one of them with everything about them. */
export const directoryRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/search',
      async ({ project, query: { q } }) => {
        const hits = await searchProject(ctx, project, q)
        return { data: { items: hits.map(toHitView), nextCursor: null } }
      },
      {
        query: SearchQuery,
        response: listAnswer(HitSchema),
        detail: {
          tags,
          summary: 'Search a project',
          description:
            'Ids, names and identifiers, device keys, e-mail addresses, and transaction and order ids of the stores. At most 20: exact ones first, then those that begin with the text, then those that have it inside a name (of subscribers the newest 200,000 are looked through). Purchases and transactions say whose they are, of which product, for how much and when.',
          operationId: 'searchProject',
        },
      },
    )
    .get(
      '/subscribers',
      async ({ project, query }) => {
        const { limit = 50, cursor, q = null, access = null, status = null, platform = null, ...more } = query
        const { audienceId = null, environment = null } = more
        const scope = [
          'subscribers',
          project.id,
          q,
          access,
          status,
          platform,
          audienceId,
          ...(environment ? [environment] : []),
        ]
        const filter = { q, access, status, platform, audienceId, environment }
        const after = readCursor(cursor, scope, lengthOf(q))
        return { data: toScannedList(await listPeople(ctx, project, filter, { after, limit }), scope, toListedView) }
      },
      {
        query: PeopleQuery,
        response: listAnswer(ListedSubscriber),
        detail: {
          tags,
          'x-errors': ['NOT_FOUND'],
          summary: 'Subscribers',
          description:
            'Newest first; with access or status, by their newest such purchase; with q, by what begins with the text: names, device keys, e-mail addresses, then (from six characters on) ids of purchases and of the stores; then by names that have the text inside. A page can have fewer items than limit although nextCursor is given: a request reads a bounded number of rows.',
          operationId: 'listSubscribers',
        },
      },
    )
    .get(
      '/subscribers/:id',
      async ({ project, params }) => {
        const person = await getPersonWithAll(ctx, project, params.id)
        const revisions = await listRevisions(ctx, project.id, [person.row.id])
        return { data: toPersonView(project, person, revisions.get(person.row.id) ?? 1, ctx.clock.now()) }
      },
      {
        params: PersonParams,
        response: PersonAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND'],
          summary: 'A subscriber with everything about them',
          operationId: 'getSubscriber',
        },
      },
    )

/** How many values a position has: a search goes by the way, the value and the id, and any other list by one id. */
const lengthOf = (q: string | null): number => (q === null ? 1 : 3)

/** The most objects that a search answers. */
const MOST_HITS = 20

/**
 * The objects of every slice that a text names or starts to name: exact ones first, then the others. The kinds take
 * turns, so that many subscribers with the prefix do not hide the one product with it.
 */
async function searchProject(ctx: Context, project: ProjectState, text: string): Promise<Hit[]> {
  const searches = (ctx.hooks.searchObjects ?? []).map((search) => search(ctx, project, text, MOST_HITS))
  const hits = (await Promise.all(searches)).flat()
  const exact = hits.filter(({ isExact }) => isExact)
  return [...exact, ...inTurns(hits.filter(({ isExact }) => !isExact))].slice(0, MOST_HITS)
}

function inTurns(hits: readonly Hit[]): Hit[] {
  const kinds = [...Map.groupBy(hits, ({ kind }) => kind).values()]
  const longest = Math.max(0, ...kinds.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, turn) => kinds.flatMap((kind) => kind.slice(turn, turn + 1)))
  return turns.flat()
}

import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { compileAudience } from '../../core/rules/compile'
import { countRows, listNewest, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { AudienceRow } from '../audiences/service'
import { matchingAmong } from '../remote-config/matching'

/** The most people to whom one call gives access: all of them are one transaction, for which other writers may wait. */
export const MOST_PEOPLE = 500
/** The most subscribers of a project among whom the people of an audience are searched. */
const MOST_EXAMINED = 50_000
const PAGE = 1000

/** The people whom an audience matches now, by their ids. 400 `VALIDATION_ERROR` when they are too many for one call. */
export async function listMatchingPeople(
  ctx: Context,
  project: ProjectState,
  audience: AudienceRow,
): Promise<SubscriberRow[]> {
  if ((await countRows(ctx, project.id)) > MOST_EXAMINED) throw tooManyToExamine()
  const found = await search(ctx, project, audience)
  if (found.count > MOST_PEOPLE) throw tooMany(audience, found.count)
  return found.people.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Counts all that match, and keeps no more than one call may concern. */
async function search(ctx: Context, project: ProjectState, audience: AudienceRow) {
  const compiled = compileAudience(audience.rules)
  const people: SubscriberRow[] = []
  let count = 0
  for (let before: string | null = null; ; ) {
    const rows: SubscriberRow[] = await listNewest(ctx, project.id, before, PAGE)
    const matching = await matchingAmong(ctx, project, rows.filter(isLive), compiled)
    count += matching.length
    if (count <= MOST_PEOPLE) people.push(...matching)
    before = rows.at(-1)?.id ?? null
    if (rows.length < PAGE) return { people, count }
  }
}

export const isLive = ({ mergedInto, erasedAt }: SubscriberRow): boolean => mergedInto === null && erasedAt === null

const number = (count: number): string => count.toLocaleString('en-US')

const tooMany = ({ name }: AudienceRow, count: number) =>
  invalid(
    `${number(count)} people match ${name}, and one call gives access to at most ${number(MOST_PEOPLE)}. Make audiences of fewer people, for example by svc.firstSeenAt or with lists of ids, and give access to one after the other`,
  )

const tooManyToExamine = () =>
  invalid(
    `The project has more than ${number(MOST_EXAMINED)} people, among whom an audience is not searched. Give access to each person by itself`,
  )

import type { Hit, SearchObjects } from '../../projects/project/search-hook'
import { toEmailText } from './email'
import type { SubscriberRow } from './queries'
import { type FoundSubscriber, peopleFound, searchInside, searchSource } from './search-source'

/** How many times the newest rows are looked through, one stretch each, for a text inside names. */
const MOST_STRETCHES = 10

/** Subscribers by id, label, device key and e-mail address; those that start with the text come first. */
export const searchSubscribers: SearchObjects = async (ctx, { id: projectId }, text, limit) => {
  const found = await searchSource(ctx, projectId, text).read(null, limit)
  let before: string | null = null
  for (let turn = 0; turn < MOST_STRETCHES && found.length < limit; turn++) {
    const inside = await searchInside(ctx, projectId, text, before, limit - found.length)
    found.push(...inside.found)
    before = inside.nextBefore
    if (before === null) break
  }
  return (await peopleFound(ctx, found, text)).map((one) => toHit(one, text))
}

function toHit({ row, value }: FoundSubscriber, text: string): Hit {
  const { id, appUserId, deviceKey } = row
  const email = row.attributes.$email?.value ?? null
  return {
    kind: 'subscriber',
    id,
    title: appUserId ?? deviceKey,
    subtitle: email ?? (appUserId === null ? null : deviceKey),
    isExact: value === text || namesOf(row).includes(text) || email === toEmailText(text),
  }
}

const namesOf = ({ id, appUserId, deviceKey, attributes }: SubscriberRow): (string | null | undefined)[] => [
  id,
  appUserId,
  deviceKey,
  attributes.$email?.value,
]

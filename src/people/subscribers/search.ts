import type { Hit, SearchObjects } from '../../projects/project/search-hook'
import { toEmailText } from './email'
import type { SubscriberRow } from './queries'
import { type FoundSubscriber, peopleFound, searchSource } from './search-source'

/** Subscribers by id, label, device key and e-mail address. */
export const searchSubscribers: SearchObjects = async (ctx, { id: projectId }, text, limit) => {
  const found = await searchSource(ctx, projectId, text).read(null, limit)
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

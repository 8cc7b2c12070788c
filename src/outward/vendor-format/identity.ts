import type { FormatEvent } from './event'
import type { Person, VendorFacts } from './facts'

/** The ids of a person under which a receiver may know them: device keys, the oldest first, then the label. */
export function idsOf(person: Pick<Person, 'subscriberId' | 'isErased' | 'keys' | 'label'>): string[] {
  if (person.isErased) return [person.subscriberId]
  const labels = person.label === null ? [] : [person.label]
  return [...new Set([...person.keys, ...labels])]
}

/** The id that the event names: the label at that time, else the device key. */
export function appUserIdOf({ appUserId, subscriberId, id }: FormatEvent, person: Person | null): string {
  if (person?.isErased) return person.subscriberId
  return appUserId ?? person?.deviceKey ?? person?.label ?? subscriberId ?? id
}

/** The members that let a receiver find the person. All ids are in `aliases`. */
export function identityMembers(event: FormatEvent, { person }: VendorFacts) {
  const current = appUserIdOf(event, person)
  const ids = person ? idsOf(person) : []
  return {
    app_user_id: current,
    original_app_user_id: ids[0] ?? current,
    aliases: ids.includes(current) ? ids : [...ids, current],
  }
}

/** Values and experiments of the person. A person who was erased has no events. */
export function personMembers(person: Person | null) {
  const isKnown = person !== null && !person.isErased
  const attributes = Object.entries(isKnown ? person.attributes : {})
  const experiments = (isKnown ? person.experiments : []).map(({ experimentId, variantId, exposedAt }) => ({
    experiment_id: experimentId,
    experiment_variant: variantId,
    enrolled_at_ms: exposedAt,
  }))
  return {
    subscriber_attributes: Object.fromEntries(
      attributes.map(([name, { value, updatedAt }]) => [name, { value, updated_at_ms: updatedAt }]),
    ),
    ...(experiments.length > 0 ? { experiments } : {}),
  }
}

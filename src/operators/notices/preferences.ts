export const CHANNELS = ['email', 'push', 'inapp'] as const

export type Channel = (typeof CHANNELS)[number]

/** Whether notices come by each channel. */
export type Channels = Record<Channel, boolean>

/** The choices of a person: for a channel as a whole, and for single kinds of notices. */
export interface GivenPreferences {
  channels: Partial<Channels>
  kinds: Record<string, Partial<Channels>>
}

export interface Preferences {
  channels: Channels
  kinds: Record<string, Channels>
}

export const NOTHING_GIVEN: GivenPreferences = { channels: {}, kinds: {} }

/** A change of what was chosen. Undefined members are not changed. */
export interface PreferenceChange {
  channels?: { [Name in Channel]?: boolean | undefined } | undefined
  kinds?: Record<string, { [Name in Channel]?: boolean | undefined } | undefined> | undefined
}

/** Merges a change, member by member. */
export function changePreferences(given: GivenPreferences, change: PreferenceChange): GivenPreferences {
  const kinds = { ...given.kinds }
  for (const [kind, channels] of Object.entries(change.kinds ?? {}))
    kinds[kind] = merge(kinds[kind] ?? {}, channels ?? {})
  return { channels: merge(given.channels, change.channels ?? {}), kinds }
}

function merge(before: Partial<Channels>, change: PreferenceChange['channels'] & object): Partial<Channels> {
  const after = { ...before }
  for (const channel of CHANNELS) {
    const value = change[channel]
    if (value !== undefined) after[channel] = value
  }
  return after
}

/**
 * Every value: the first of the layers that has chosen it decides, and every value without a choice is on. The
 * person's own choice comes first, then the default of the project.
 */
export const resolvePreferences = (layers: readonly GivenPreferences[], kinds: readonly string[]): Preferences => ({
  channels: resolve(layers.map(({ channels }) => channels)),
  kinds: Object.fromEntries(kinds.map((kind) => [kind, resolve(layers.map((layer) => layer.kinds[kind] ?? {}))])),
})

function resolve(layers: readonly Partial<Channels>[]): Channels {
  const chosen = (channel: Channel) =>
    layers.map((layer) => layer[channel]).find((value) => value !== undefined) ?? true
  return { email: chosen('email'), push: chosen('push'), inapp: chosen('inapp') }
}

/** Whether a notice of a kind comes by a channel: both the channel and the kind must be on. */
export const isWanted = (layers: readonly GivenPreferences[], kind: string, channel: Channel): boolean => {
  const { channels, kinds } = resolvePreferences(layers, [kind])
  return channels[channel] && (kinds[kind]?.[channel] ?? true)
}

import type { FunnelSettings, GivenSettings } from './model'

/** The settings as callers get them, with the offering by its identifier; null = none, or one that is gone. */
export function givenSettings({ offeringId: _id, ...options }: FunnelSettings, offering: string | null): GivenSettings {
  return { ...(offering !== null && { offering }), ...options }
}

/** The settings as they are saved, with the offering by its id; null = none. */
export function savedSettings({ offering: _identifier, ...options }: GivenSettings, id: string | null): FunnelSettings {
  return { ...(id !== null && { offeringId: id }), ...options }
}

import { ENVIRONMENTS, type EndpointSettings } from './model'
import type { EndpointRow } from './queries'

export const settingsOf = ({
  name,
  url,
  eventTypes,
  environments,
  isOrdered,
  format,
  isEnabled,
}: EndpointRow): EndpointSettings => ({ name, url, eventTypes, environments, isOrdered, format, isEnabled })

/** Every event type once, and the environments in one order. */
export const tidied = <Settings extends Pick<EndpointSettings, 'eventTypes' | 'environments'>>(
  settings: Settings,
): Settings => ({
  ...settings,
  eventTypes: [...new Set(settings.eventTypes)],
  environments: ENVIRONMENTS.filter((environment) => settings.environments.includes(environment)),
})
